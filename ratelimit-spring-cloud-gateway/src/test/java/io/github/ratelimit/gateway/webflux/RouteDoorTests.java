package io.github.ratelimit.gateway.webflux;

import java.util.Objects;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;

/** Requests of a route, whose subscriber cancels them if the client has gone. */
@Tag("long")
class RouteDoorTests extends DoorContract {

	private @Nullable ConfigurableApplicationContext gateway;

	/**
	 * The charge of a request is kept once decided, also if no other filter is called.
	 */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/**
	 * Filters hold a permit until their request ends. Reactor may lose the cancel of a
	 * request on its way to the work.
	 */
	@Override
	protected boolean holdsWhatGoesOn() {
		return false;
	}

	/** Covers the filters as well. */
	@Override
	protected int latestMicros() {
		return 1_000;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		ConfigurableApplicationContext started = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.REACTIVE)
			.initializers((context) -> {
				GenericApplicationContext beans = (GenericApplicationContext) context;
				beans.registerBean(RateLimiter.class, () -> limiter);
				beans.registerBean(Policies.class, () -> this.policies);
				beans.registerBean(Work.class, () -> new Work(work));
			})
			.run("--server.port=0", "--ratelimit.store=memory", "--spring.config.name=none");
		this.gateway = started;
		HttpHandler handler = started.getBean(HttpHandler.class);
		return Mono
			.defer(() -> handler.handle(MockServerHttpRequest.get("/work").build(), new MockServerHttpResponse()))
			.subscribeOn(Schedulers.parallel());
	}

	@AfterEach
	void close() {
		Objects.requireNonNull(this.gateway).close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		/**
		 * Returns a route that has a filter for each policy, and does its work itself.
		 */
		@Bean
		RouteLocator routes(RouteLocatorBuilder routes, RateLimitGatewayFilterFactory rateLimit, Work work) {
			return routes.routes()
				.route("work",
						(route) -> route.path("/work")
							.filters((filters) -> filters.filter(rateLimit.of(HELD))
								.filter(rateLimit.of(SPENT))
								.filter((exchange, chain) -> work.toBeDone()))
							.uri("no://upstream"))
				.build();
		}

	}

	/** The work of requests. Its failures have a status, as others are logged. */
	record Work(Supplier<Mono<String>> made) {

		Mono<Void> toBeDone() {
			return this.made.get()
				.onErrorMap((failure) -> new ResponseStatusException(HttpStatus.CONFLICT, null, failure))
				.then();
		}

	}

}
