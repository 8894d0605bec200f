package io.github.ratelimit.spring.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.method.RateLimitedMethod;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * A check for limited methods that a technology calls while the module that integrates
 * the two is absent.
 *
 * @param methods the limited methods
 * @param module the name of the module
 * @param present whether a class is on the class path
 */
public record MissingIntegrations(RateLimitedMethods methods, String module,
		Predicate<String> present) implements StartCheck {

	/** The technologies by what their methods are annotated with. */
	private static final Map<String, String> TECHNOLOGIES = Map.of("org.springframework.kafka.annotation.KafkaListener",
			"Kafka", "org.springframework.kafka.annotation.KafkaHandler", "Kafka",
			"org.springframework.amqp.rabbit.annotation.RabbitListener", "RabbitMQ",
			"org.springframework.amqp.rabbit.annotation.RabbitHandler", "RabbitMQ",
			"org.springframework.graphql.data.method.annotation.SchemaMapping", "GraphQL",
			"org.springframework.graphql.data.method.annotation.BatchMapping", "GraphQL",
			"org.springframework.messaging.simp.annotation.SubscribeMapping", "STOMP");

	/** An annotation of STOMP, of RSocket, and of listeners of other technologies. */
	private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

	private static final String CLASS_OF_STOMP = "org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer";

	private static final String INTERFACE_OF_GRPC = "io.grpc.BindableService";

	@Override
	public Stream<Finding> findings() {
		return this.methods.all().flatMap((method) -> technology(method).stream().map((name) -> finding(method, name)));
	}

	private Finding finding(RateLimitedMethod method, String technology) {
		return new Finding(Kind.MISSING_INTEGRATION, method.name(),
				method.name() + " is called by " + technology + ", but '" + this.module
						+ "' is not on the class path, so its callers are unknown and a denial is a mere exception. "
						+ "Add that module, or 'ratelimit-spring-boot-starter', which contains it.");
	}

	private Optional<String> technology(RateLimitedMethod method) {
		MergedAnnotations annotations = MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY);
		return TECHNOLOGIES.keySet()
			.stream()
			.filter(annotations::isPresent)
			.map(TECHNOLOGIES::get)
			.findFirst()
			.or(() -> isOfStomp(annotations) ? Optional.of("STOMP") : Optional.empty())
			.or(() -> isOfGrpc(method) ? Optional.of("gRPC") : Optional.empty());
	}

	private boolean isOfStomp(MergedAnnotations annotations) {
		return annotations.isDirectlyPresent(MESSAGE_MAPPING) && this.present.test(CLASS_OF_STOMP);
	}

	private static boolean isOfGrpc(RateLimitedMethod method) {
		return List.of(ClassUtils.getAllInterfacesForClass(method.method().getDeclaringClass()))
			.stream()
			.anyMatch((type) -> type.getName().equals(INTERFACE_OF_GRPC));
	}

}
