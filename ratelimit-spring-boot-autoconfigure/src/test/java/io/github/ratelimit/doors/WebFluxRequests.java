package io.github.ratelimit.doors;

import java.util.function.Supplier;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.charge.DoorContract;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.reactive.AnnotationConfigReactiveWebApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Requests of WebFlux behind Spring Security, each path a door. As with a server, their
 * subscriber cancels them if the client has gone.
 */
abstract class WebFluxRequests extends Door {

	private final String uri;

	WebFluxRequests(String uri) {
		this.uri = uri;
	}

	/**
	 * The charge of a request is kept once decided, also if it ends before its handler.
	 */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	/**
	 * Rules and handlers hold a permit until their request ends. Reactor may lose the
	 * cancel of a request on its way to the work.
	 */
	@Override
	protected final boolean holdsWhatGoesOn() {
		return false;
	}

	/** Covers the filters as well. */
	@Override
	protected final int latestMicros() {
		return 1_000;
	}

	@Override
	ConfigurableApplicationContext start(RateLimiter limiter, Policies policies, Supplier<Mono<String>> work) {
		AnnotationConfigReactiveWebApplicationContext context = new AnnotationConfigReactiveWebApplicationContext();
		TestPropertyValues
			.of("ratelimit.store=memory", "ratelimit.rules[0].paths=/first", "ratelimit.rules[0].policies=held,spent",
					"ratelimit.rules[0].phase=before-security", "ratelimit.rules[1].paths=/rule",
					"ratelimit.rules[1].policies=held,spent", "ratelimit.rules[2].paths=/joined",
					"ratelimit.rules[2].policies=held")
			.applyTo(context);
		context.registerBean(RateLimiter.class, () -> limiter);
		context.registerBean(Policies.class, () -> policies);
		context.registerBean(Controller.class,
				() -> new Controller(() -> work.get().onErrorMap(WebFluxRequests::handled)));
		context.register(Security.class);
		context.register(AutoConfigurations.getClasses(RateLimitContext.AUTO_CONFIGURATIONS, RateLimitContext.WEBFLUX));
		context.refresh();
		return context;
	}

	@Override
	Publisher<?> call(ConfigurableApplicationContext application) {
		HttpHandler handler = application.getBean(HttpHandler.class);
		return Mono
			.defer(() -> handler.handle(MockServerHttpRequest.get(this.uri).build(), new MockServerHttpResponse()))
			.subscribeOn(Schedulers.parallel());
	}

	/** Returns a failure with a status of its own, which is not logged as an error. */
	private static Throwable handled(Throwable failure) {
		return new ResponseStatusException(HttpStatus.CONFLICT, null, failure);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebFluxSecurity
	static class Security {

		@Bean
		SecurityWebFilterChain chain(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().permitAll()).build();
		}

	}

	@RestController
	static class Controller {

		private final Supplier<Mono<String>> work;

		Controller(Supplier<Mono<String>> work) {
			this.work = work;
		}

		@GetMapping({ "/first", "/rule" })
		Mono<String> ruled() {
			return this.work.get();
		}

		@GetMapping("/joined")
		@RateLimited(DoorContract.SPENT)
		Mono<String> joined() {
			return this.work.get();
		}

		@GetMapping("/mono")
		@RateLimited(DoorContract.HELD)
		@RateLimited(DoorContract.SPENT)
		Mono<String> mono() {
			return this.work.get();
		}

		@GetMapping("/argument")
		@RateLimited(policy = DoorContract.HELD, cost = "#cost")
		@RateLimited(policy = DoorContract.SPENT, cost = "#cost")
		Mono<String> monoByArgument(@RequestParam int cost) {
			return this.work.get();
		}

		@GetMapping("/blocking")
		@RateLimited(DoorContract.HELD)
		@RateLimited(DoorContract.SPENT)
		String blocking() {
			return blockingWork();
		}

		@GetMapping("/blocking-argument")
		@RateLimited(policy = DoorContract.HELD, cost = "#cost")
		@RateLimited(policy = DoorContract.SPENT, cost = "#cost")
		String blockingByArgument(@RequestParam int cost) {
			return blockingWork();
		}

		private String blockingWork() {
			this.work.get().subscribe((result) -> {
			}, (failure) -> {
			}).dispose();
			return "done";
		}

	}

}
