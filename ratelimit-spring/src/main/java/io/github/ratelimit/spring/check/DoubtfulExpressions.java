package io.github.ratelimit.spring.check;

import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

/**
 * A check for expressions that the types of the arguments do not fit.
 *
 * @param methods the limited methods
 */
public record DoubtfulExpressions(RateLimitedMethods methods) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.methods.all().flatMap(DoubtfulExpressions::findings);
	}

	private static Stream<Finding> findings(RateLimitedMethod method) {
		return method.expressions()
			.flatMap((expression) -> expression.doubts()
				.stream()
				.map((doubt) -> new Finding(Kind.DOUBTFUL_EXPRESSION, method.name(), "The expression '"
						+ expression.text() + "' on " + method.name() + " is probably wrong: " + doubt)));
	}

}
