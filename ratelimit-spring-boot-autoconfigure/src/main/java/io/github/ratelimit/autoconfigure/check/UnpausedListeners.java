package io.github.ratelimit.autoconfigure.check;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A check for limited listeners of messages that nothing pauses, so that a denial is a
 * failure of the message.
 */
final class UnpausedListeners implements StartCheck {

	/** Names, as applications may lack the libraries and the module. */
	private static final List<Pause> PAUSES = List.of(
			new Pause("org.springframework.kafka.annotation.KafkaListener", "io.github.ratelimit.kafkaBackPressure",
					"'ratelimit-spring-integrations'"),
			new Pause("org.springframework.amqp.rabbit.annotation.RabbitListener",
					"io.github.ratelimit.rabbitReturnAdvice",
					"'ratelimit-spring-integrations' and Spring AMQP 4.1 or later"));

	private final RateLimitedMethods methods;

	private final Predicate<String> hasBean;

	UnpausedListeners(RateLimitedMethods methods, Predicate<String> hasBean) {
		this.methods = methods;
		this.hasBean = hasBean;
	}

	@Override
	public Stream<Finding> findings() {
		return PAUSES.stream().filter((pause) -> !this.hasBean.test(pause.bean())).flatMap(this::findings);
	}

	private Stream<Finding> findings(Pause pause) {
		return this.methods.all()
			.filter((method) -> method.fallbackMethod() == null && pause.isFor(method.method()))
			.map((method) -> new Finding(Kind.UNPAUSED_LISTENER, method.name(), "A denial of " + method.name()
					+ " is a failure of its message, as nothing pauses the listener. Add " + pause.remedy() + "."));
	}

	/**
	 * A pause after a denial.
	 *
	 * @param annotation the annotation of the listeners
	 * @param bean the bean that pauses them
	 * @param remedy the dependencies that bring the bean
	 */
	private record Pause(String annotation, String bean, String remedy) {

		boolean isFor(Method method) {
			return AnnotatedElementUtils.isAnnotated(method, this.annotation)
					|| AnnotatedElementUtils.isAnnotated(method.getDeclaringClass(), this.annotation);
		}

	}

}
