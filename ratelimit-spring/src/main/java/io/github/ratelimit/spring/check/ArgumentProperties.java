package io.github.ratelimit.spring.check;

import java.util.stream.Stream;

import io.github.ratelimit.spring.expression.CallExpression;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * A check for properties in expressions that the types of the arguments do not have.
 *
 * @param methods the limited methods
 */
public record ArgumentProperties(RateLimitedMethods methods) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.methods.all().flatMap(ArgumentProperties::findings);
	}

	private static Stream<Finding> findings(RateLimitedMethod method) {
		return method.expressions()
			.distinct()
			.flatMap((text) -> CallExpression.parse(text)
				.unknownProperties(method.argumentTypes())
				.map((unknown) -> new Finding(Kind.UNKNOWN_ARGUMENT_PROPERTY, method.name(), "The expression '" + text
						+ "' on " + method.name() + " has no value for most arguments: " + unknown)));
	}

}
