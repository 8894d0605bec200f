package io.github.ratelimit.autoconfigure.reload;

import io.github.ratelimit.policy.Policies;

/**
 * A part that puts a section of the properties into effect. Without such a part, changes
 * of the section need a restart.
 *
 * @param section the name of the section behind the prefix, such as {@code login}
 * @param part reads the section
 */
public record ReloadableSection(String section, Reloadable part) implements Reloadable {

	@Override
	public Runnable prepare(PropertiesInEffect properties, Policies policies) {
		return this.part.prepare(properties, policies);
	}

}
