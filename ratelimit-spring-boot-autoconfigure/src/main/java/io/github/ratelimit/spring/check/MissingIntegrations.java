package io.github.ratelimit.spring.check;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.util.ClassUtils;

/**
 * A check for limited methods that a technology calls while the module that integrates
 * the two is absent.
 *
 * @param methods the limited methods
 * @param present whether a class is on the class path
 */
public record MissingIntegrations(RateLimitedMethods methods, Predicate<String> present) implements StartCheck {

	private static final String MODULE = "ratelimit-spring-integrations";

	private static final String CLASS_OF_MODULE = "io.github.ratelimit.autoconfigure.integration.RateLimitStompAutoConfiguration";

	/** The technologies by the package of what their methods or classes carry. */
	private static final Map<String, String> TECHNOLOGIES = Map.of("org.springframework.kafka.annotation", "Kafka",
			"org.springframework.amqp.rabbit.annotation", "RabbitMQ",
			"org.springframework.graphql.data.method.annotation", "GraphQL",
			"org.springframework.messaging.handler.annotation", "messages", "io.grpc", "gRPC");

	@Override
	public Stream<Finding> findings() {
		return this.present.test(CLASS_OF_MODULE) ? Stream.empty()
				: this.methods.all().flatMap(MissingIntegrations::findings);
	}

	private static Stream<Finding> findings(RateLimitedMethod method) {
		return marks(method.method()).map((mark) -> TECHNOLOGIES.get(mark.getPackageName()))
			.filter(Objects::nonNull)
			.limit(1)
			.map((technology) -> new Finding(Kind.MISSING_INTEGRATION, method.name(), method.name() + " handles "
					+ technology + ", but '" + MODULE
					+ "' is not on the class path, so its callers are unknown and a denial is a mere exception. "
					+ "Add that module, or 'ratelimit-spring-boot-starter', which contains it."));
	}

	private static Stream<Class<?>> marks(Method method) {
		return Stream.concat(Stream.of(method.getAnnotations()).map(Annotation::annotationType),
				Stream.of(ClassUtils.getAllInterfacesForClass(method.getDeclaringClass())));
	}

}
