package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The checks of limited methods.
 *
 * @param methods the limited methods
 */
public record MethodChecks(RateLimitedMethods methods) {

	/**
	 * Finds policies that annotations of a method and its class charge twice by the same
	 * key.
	 * @return the findings
	 */
	public Stream<Finding> repeatedCharges() {
		return this.methods.all()
			.flatMap((method) -> method.policies()
				.stream()
				.distinct()
				.filter((policy) -> isRepeated(method.keysOf(policy)))
				.map((policy) -> new Finding(Kind.POLICY_CHARGED_TWICE, method.name(),
						"A call of " + method.name() + " charges the policy '" + policy
								+ "' twice by the same key. Remove one of the annotations.")));
	}

	private static boolean isRepeated(List<List<String>> keys) {
		return keys.size() > Set.copyOf(keys).size();
	}

	/**
	 * Finds expressions that the types of the arguments do not fit.
	 * @return the findings
	 */
	public Stream<Finding> doubtfulExpressions() {
		return this.methods.all()
			.flatMap((method) -> method.expressions()
				.flatMap((expression) -> expression.doubts()
					.stream()
					.map((doubt) -> new Finding(Kind.DOUBTFUL_EXPRESSION, method.name(), "The expression '"
							+ expression.text() + "' on " + method.name() + " is probably wrong: " + doubt))));
	}

	/**
	 * Finds limited methods that their own class calls, past the proxy that limits them.
	 * @return the findings
	 */
	public Stream<Finding> selfCalls() {
		return new SelfCalls(this.methods).findings();
	}

	/**
	 * Finds limited listeners of messages that nothing pauses, so that a denial is a
	 * failure of the message.
	 * @param hasBean whether there is a bean of a name
	 * @return the findings
	 */
	public Stream<Finding> unpausedListeners(Predicate<String> hasBean) {
		// Names, as applications may lack the libraries and the module
		return Stream.concat(
				unpaused("org.springframework.kafka.annotation.KafkaListener",
						hasBean.test("io.github.ratelimit.kafkaBackPressure"), "'ratelimit-spring-integrations'"),
				unpaused("org.springframework.amqp.rabbit.annotation.RabbitListener",
						hasBean.test("io.github.ratelimit.rabbitReturnAdvice"),
						"'ratelimit-spring-integrations' and Spring AMQP 4.1 or later"));
	}

	private Stream<Finding> unpaused(String listener, boolean isPaused, String remedy) {
		return isPaused ? Stream.empty()
				: this.methods.all()
					.filter((method) -> method.fallbackMethod() == null && isAnnotated(method, listener))
					.map((method) -> new Finding(Kind.UNPAUSED_LISTENER, method.name(), "A denial of " + method.name()
							+ " is a failure of its message, as nothing pauses the listener. Add " + remedy + "."));
	}

	private static boolean isAnnotated(RateLimitedMethod method, String annotation) {
		return AnnotatedElementUtils.isAnnotated(method.method(), annotation)
				|| AnnotatedElementUtils.isAnnotated(method.method().getDeclaringClass(), annotation);
	}

}
