package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.spring.graphql.GraphQlOperation;
import io.github.ratelimit.spring.stomp.StompRejection;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.StatusProto;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

class IntegrationHintsTests {

	@Test
	void letExpressionsReadOperations() throws NoSuchMethodException {
		RuntimeHints hints = hints(RateLimitGraphQlAutoConfiguration.class);
		for (String getter : new String[] { "getName", "getType", "getComplexity" }) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(GraphQlOperation.class.getMethod(getter)))
				.accepts(hints);
		}
	}

	@Test
	void letConvertersWriteRejections() throws NoSuchMethodException {
		RuntimeHints hints = hints(RateLimitStompAutoConfiguration.class);
		for (String component : new String[] { "title", "destination", "violatedPolicies", "retryAfter" }) {
			assertThat(
					RuntimeHintsPredicates.reflection().onMethodInvocation(StompRejection.class.getMethod(component)))
				.accepts(hints);
		}
	}

	@Test
	void letAReloadReadTheProperties() {
		RuntimeHints hints = hints(RateLimitAutoConfiguration.class);
		for (Class<?> group : new Class<?>[] { GraphQlProperties.class, GrpcProperties.class, StompProperties.class }) {
			assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(group.getDeclaredConstructors()[0]))
				.accepts(hints);
		}
	}

	@Test
	void letTheLibrariesOfPropertiesBeFound() {
		RuntimeHints hints = hints(RateLimitAutoConfiguration.class);
		for (Class<?> library : new Class<?>[] { WebGraphQlInterceptor.class, WebSocketMessageBrokerConfigurer.class,
				GlobalServerInterceptor.class, ServerInterceptor.class, StatusProto.class }) {
			assertThat(RuntimeHintsPredicates.reflection().onType(library)).accepts(hints);
		}
	}

	private static RuntimeHints hints(Class<?> configuration) {
		ImportRuntimeHints imported = AnnotatedElementUtils.getMergedAnnotation(configuration,
				ImportRuntimeHints.class);
		assertThat(imported).isNotNull();
		RuntimeHints hints = new RuntimeHints();
		for (Class<? extends RuntimeHintsRegistrar> registrar : imported.value()) {
			BeanUtils.instantiateClass(registrar).registerHints(hints, null);
		}
		return hints;
	}

}
