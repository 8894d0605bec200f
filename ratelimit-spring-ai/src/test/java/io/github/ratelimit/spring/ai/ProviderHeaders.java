package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Headers like those of the libraries of OpenAI and Anthropic. */
public final class ProviderHeaders {

	private final Map<String, List<String>> values;

	ProviderHeaders(Map<String, List<String>> values) {
		this.values = values;
	}

	/**
	 * Returns the values of a header.
	 * @param name the header's name, in any case
	 * @return the values
	 */
	public List<String> values(String name) {
		return this.values.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
	}

}
