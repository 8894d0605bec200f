package io.github.ratelimit.spring.method;

import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call by their names. Methods have few, so that looking through them
 * is faster than a table made for each call.
 */
final class NamedArguments extends AbstractMap<String, @Nullable Object> {

	private final List<String> names;

	private final @Nullable Object[] values;

	/**
	 * Creates the arguments.
	 * @param names the names, each once
	 * @param values the values in the order of the names, which others may follow
	 */
	NamedArguments(List<String> names, @Nullable Object[] values) {
		this.names = names;
		this.values = values;
	}

	@Override
	public @Nullable Object get(@Nullable Object name) {
		int index = (name != null) ? this.names.indexOf(name) : -1;
		return (index >= 0) ? this.values[index] : null;
	}

	@Override
	public boolean containsKey(@Nullable Object name) {
		return name != null && this.names.contains(name);
	}

	@Override
	public int size() {
		return this.names.size();
	}

	@Override
	public Set<Map.Entry<String, @Nullable Object>> entrySet() {
		Map<String, @Nullable Object> copy = new LinkedHashMap<>();
		this.names.forEach((name) -> copy.put(name, get(name)));
		return copy.entrySet();
	}

}
