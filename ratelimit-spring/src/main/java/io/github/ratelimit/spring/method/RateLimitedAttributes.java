package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.StringJoiner;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/**
 * The attributes of an annotation, with placeholders replaced.
 *
 * @param policy the name of the policy, or empty
 * @param limit the limit, or empty
 * @param key the word for the key, or empty
 * @param cost the cost of a call
 * @param maxWait the longest time that a call may wait, or empty
 * @param outcome what follows a denial or the end of a call
 * @param origin the place of the annotation
 */
record RateLimitedAttributes(String policy, String limit, String key, String cost, String when, String maxWait,
		Consequences outcome, Origin origin) {

	/**
	 * The attributes about the outcome of calls, denied and admitted ones.
	 */
	record Consequences(String fallback, String actual, String chargeWhen, List<Class<?>> chargeOn, String refundWhen,
			List<Class<?>> refundOn) {

		static Consequences of(MergedAnnotation<RateLimited> annotation, StringValueResolver placeholders) {
			return new Consequences(text(annotation, "fallback", placeholders),
					text(annotation, "actual", placeholders), text(annotation, "chargeWhen", placeholders),
					List.of(annotation.getClassArray("chargeOn")), text(annotation, "refundWhen", placeholders),
					List.of(annotation.getClassArray("refundOn")));
		}

	}

	/**
	 * The place of an annotation.
	 *
	 * @param element a class or method
	 * @param position the index among the annotations of the element
	 */
	record Origin(@Nullable Object element, int position) {

	}

	/** Returns the attributes of an annotation. */
	static RateLimitedAttributes of(MergedAnnotation<RateLimited> annotation, int position,
			StringValueResolver placeholders) {
		String value = text(annotation, "value", placeholders);
		String policy = text(annotation, "policy", placeholders);
		return new RateLimitedAttributes(policy.isEmpty() ? value : policy, text(annotation, "limit", placeholders),
				text(annotation, "key", placeholders), text(annotation, "cost", placeholders),
				text(annotation, "when", placeholders), text(annotation, "maxWait", placeholders),
				Consequences.of(annotation, placeholders), new Origin(annotation.getSource(), position));
	}

	private static String text(MergedAnnotation<RateLimited> annotation, String attribute,
			StringValueResolver placeholders) {
		String text = resolved(annotation, attribute, placeholders);
		return (text != null) ? text.strip() : "";
	}

	private static @Nullable String resolved(MergedAnnotation<RateLimited> annotation, String attribute,
			StringValueResolver placeholders) {
		String text = annotation.getString(attribute);
		try {
			return placeholders.resolveStringValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRateLimitConfigurationException(
					"@RateLimited on " + annotation.getSource() + " has the text '" + text + "', but "
							+ ex.getMessage(),
					"Define the property, or give the placeholder a default value, as in ${name:default}.", ex);
		}
	}

	/** Returns the annotation as source code. */
	@Override
	public String toString() {
		StringJoiner attributes = new StringJoiner(", ", "@RateLimited(", ")");
		append(attributes, "policy", this.policy, "");
		append(attributes, "limit", this.limit, "");
		append(attributes, "key", this.key, "");
		append(attributes, "cost", this.cost, "1");
		append(attributes, "actual", this.outcome.actual(), "");
		append(attributes, "when", this.when, "");
		append(attributes, "maxWait", this.maxWait, "");
		append(attributes, "refundWhen", this.outcome.refundWhen(), "");
		append(attributes, "chargeWhen", this.outcome.chargeWhen(), "");
		append(attributes, "fallback", this.outcome.fallback(), "");
		return attributes.toString();
	}

	private static void append(StringJoiner attributes, String name, String text, String standard) {
		if (!text.equals(standard)) {
			attributes.add(name + " = \"" + text + '"');
		}
	}

}
