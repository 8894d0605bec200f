package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.StringJoiner;

import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * What an annotation says, its placeholders replaced.
 *
 * @param policy the policy's name, or empty
 * @param limit a limit, or empty
 * @param key who is limited, or empty
 * @param cost of a call
 * @param maxWait how long a call may wait, or empty
 * @param refundOn failures after which permits are given back
 * @param origin where it stands
 */
record RateLimitedText(String policy, String limit, String key, String cost, String maxWait, List<Class<?>> refundOn,
		Origin origin) {

	/**
	 * Where an annotation stands.
	 *
	 * @param element a class or method
	 * @param position which of the element's it is, from 0
	 */
	record Origin(@Nullable Object element, int position) {

	}

	static RateLimitedText of(MergedAnnotation<RateLimited> annotation, int position,
			StringValueResolver placeholders) {
		String value = text(annotation, "value", placeholders);
		String policy = text(annotation, "policy", placeholders);
		return new RateLimitedText(policy.isEmpty() ? value : policy, text(annotation, "limit", placeholders),
				text(annotation, "key", placeholders), text(annotation, "cost", placeholders),
				text(annotation, "maxWait", placeholders), List.of(annotation.getClassArray("refundOn")),
				new Origin(annotation.getSource(), position));
	}

	private static String text(MergedAnnotation<RateLimited> annotation, String attribute,
			StringValueResolver placeholders) {
		String text = placeholders.resolveStringValue(annotation.getString(attribute));
		return (text != null) ? text.strip() : "";
	}

	/** The annotation as its author might have written it. */
	@Override
	public String toString() {
		StringJoiner attributes = new StringJoiner(", ", "@RateLimited(", ")");
		append(attributes, "policy", this.policy, "");
		append(attributes, "limit", this.limit, "");
		append(attributes, "key", this.key, "");
		append(attributes, "cost", this.cost, "1");
		append(attributes, "maxWait", this.maxWait, "");
		return attributes.toString();
	}

	private static void append(StringJoiner attributes, String name, String text, String standard) {
		if (!text.equals(standard)) {
			attributes.add(name + " = \"" + text + '"');
		}
	}

}
