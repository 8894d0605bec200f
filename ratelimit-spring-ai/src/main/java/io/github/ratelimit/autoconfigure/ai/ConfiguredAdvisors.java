package io.github.ratelimit.autoconfigure.ai;

import java.util.List;

import io.github.ratelimit.autoconfigure.reload.PropertiesInEffect;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import io.github.ratelimit.spring.ai.TokenSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.advisor.api.Advisor;

/**
 * The advisors that properties define. Clients without any at the start get none by a
 * reload.
 */
final class ConfiguredAdvisors implements Reloadable {

	private final RateLimitedChatClients clients;

	private final List<Advisor> advisors;

	private volatile AiProperties properties;

	private final TokenSettings settings;

	/**
	 * Creates the advisors.
	 * @param clients creates them
	 * @param properties the properties at the start
	 * @param settings the settings at the start
	 */
	ConfiguredAdvisors(RateLimitedChatClients clients, AiProperties properties, TokenSettings settings) {
		this.clients = clients;
		this.advisors = clients.advisors(properties.policies());
		this.properties = properties;
		this.settings = settings;
	}

	List<Advisor> all() {
		return this.advisors;
	}

	/** Returns the names of the policies that the advisors charge. */
	List<String> policies() {
		return this.properties.policies().all();
	}

	@Override
	public Runnable prepare(PropertiesInEffect properties, Policies policies) {
		AiProperties read = properties.group(AiPropertyGroup.NAME, AiProperties.class);
		if (section() == null) {
			return () -> {
			};
		}
		Runnable replaced = this.clients.with(read.settings(this.settings.estimator()))
			.prepare(this.advisors, read.policies(), policies);
		return () -> {
			if (!read.equals(this.properties)) {
				replaced.run();
				this.properties = read;
			}
		};
	}

	@Override
	public @Nullable String section() {
		return this.advisors.isEmpty() ? null : AiPropertyGroup.NAME;
	}

}
