package io.github.ratelimit.gateway;

import java.io.Serial;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.util.StringUtils;

/**
 * The names of policies in the arguments of a filter. The gateway passes a list as a map
 * by index, and text as it is.
 */
public final class PolicyArgument extends LinkedHashMap<String, String> {

	@Serial
	private static final long serialVersionUID = 1L;

	/** Creates no names, for a binder to add some. */
	public PolicyArgument() {
	}

	/**
	 * Creates the names in a text.
	 * @param text names separated by commas
	 */
	public PolicyArgument(String text) {
		for (String name : StringUtils.tokenizeToStringArray(text, ",")) {
			put(Integer.toString(size()), name);
		}
	}

	/** Returns the names in their order. */
	List<String> toList() {
		return entrySet().stream()
			.sorted(Comparator.comparing((entry) -> index(entry.getKey())))
			.map(Map.Entry::getValue)
			.toList();
	}

	/** Returns an index whose order as text is that of numbers. */
	private static String index(String key) {
		return String.format("%8s", key);
	}

}
