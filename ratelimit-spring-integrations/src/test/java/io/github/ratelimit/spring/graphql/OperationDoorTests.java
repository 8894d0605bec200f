package io.github.ratelimit.spring.graphql;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import graphql.ExecutionResult;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.support.DefaultExecutionGraphQlResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** Operations of an application, whose response and events are cancelled. */
class OperationDoorTests {

	@Nested
	class Query extends Door {

		@Override
		Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work) {
			return interceptor.intercept(request("{ products { name } }"),
					(request) -> work.get().map((data) -> response(request, data)));
		}

	}

	@Nested
	class Subscription extends Door {

		@Override
		Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work) {
			return interceptor
				.intercept(request("subscription { prices }"),
						(request) -> Mono.fromSupplier(() -> response(request, work.get().flux())))
				.flatMapMany((response) -> (response.getData() instanceof Publisher<?> events) ? events : Flux.empty());
		}

	}

	private static WebGraphQlRequest request(String document) {
		HttpHeaders headers = new HttpHeaders();
		headers.setAccept(List.of(MediaType.TEXT_EVENT_STREAM));
		return new WebGraphQlRequest(URI.create("/graphql"), headers, null, null, Map.of(), Map.of("query", document),
				"1", Locale.ROOT);
	}

	private static WebGraphQlResponse response(WebGraphQlRequest request, Object data) {
		return new WebGraphQlResponse(new DefaultExecutionGraphQlResponse(request.toExecutionInput(),
				ExecutionResult.newExecutionResult().data(data).build()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	abstract static class Door extends DoorContract {

		private @Nullable ConfigurableApplicationContext application;

		/** The charge of an operation is kept once decided, also if it does not run. */
		@Override
		protected boolean worksOnceAdmitted() {
			return false;
		}

		@Override
		protected int latestMicros() {
			return 300;
		}

		@Override
		protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
			ConfigurableApplicationContext started = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.REACTIVE)
				.initializers((context) -> {
					GenericApplicationContext beans = (GenericApplicationContext) context;
					beans.registerBean(RateLimiter.class, () -> limiter);
					beans.registerBean(Policies.class, () -> this.policies);
				})
				.properties("server.port=0", "ratelimit.store=memory",
						"spring.graphql.schema.locations=classpath:schema/", "ratelimit.graphql.policies=held,spent")
				.run();
			this.application = started;
			return Flux.defer(() -> responses(started.getBean(RateLimitGraphQlInterceptor.class), work))
				.subscribeOn(Schedulers.parallel());
		}

		abstract Publisher<?> responses(RateLimitGraphQlInterceptor interceptor, Supplier<Mono<String>> work);

		@AfterEach
		void close() {
			Objects.requireNonNull(this.application).close();
		}

	}

}
