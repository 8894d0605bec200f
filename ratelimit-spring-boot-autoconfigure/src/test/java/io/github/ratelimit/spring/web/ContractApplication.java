package io.github.ratelimit.spring.web;

import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.resilience.InvocationRejectedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * An application that runs on either stack.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ContractApplication.Controller.class, ContractApplication.Inner.class })
public class ContractApplication {

	static final String BROKEN = "broken";

	/** A key by a resolver that looks at an argument. */
	@Bean
	KeyResolver thing() {
		return (call) -> (String) call.arguments().get("id");
	}

	/** Fails for a client, and says more of it than callers should hear. */
	@Bean
	TestStore store() {
		return new TestStore().fail(BROKEN)
			.failWith(() -> new RateLimitStoreException("failed", new IllegalStateException("secret")));
	}

	/**
	 * A limited bean behind a controller.
	 */
	static class Inner {

		@RateLimited("bean")
		Mono<String> call() {
			return Mono.just("ok");
		}

	}

	/**
	 * Has every kind of limited method.
	 */
	@RestController
	static class Controller {

		private final Inner inner;

		Controller(Inner inner) {
			this.inner = inner;
		}

		@GetMapping({ "/open/{id}", "/get", "/when", "/first/{id}", "/dear", "/odd/{id}" })
		String open() {
			return "ok";
		}

		@GetMapping("/crowded")
		String crowded() {
			throw new InvocationRejectedException("secret", this);
		}

		@GetMapping({ "/method", "/both" })
		@RateLimited("method")
		String plain() {
			return "ok";
		}

		@GetMapping("/things/{id}")
		@RateLimited("things")
		String thing(@PathVariable String id) {
			return "ok";
		}

		@GetMapping("/mono")
		@RateLimited("method")
		Mono<String> mono() {
			return Mono.just("ok");
		}

		@GetMapping("/stage")
		@RateLimited("method")
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("ok");
		}

		@PostMapping("/body")
		@RateLimited("method")
		String body(@RequestBody Map<String, Object> body) {
			return "ok";
		}

		@PostMapping("/form")
		String form(Form form) {
			return form.client();
		}

		@PostMapping("/texts")
		@RateLimited("texts")
		Mono<String> text(@RequestBody Map<String, Object> text) {
			return Mono.just("ok");
		}

		@GetMapping("/costing")
		@RateLimited(policy = "method", cost = "#n > 0 ? #n * 1000 : #more")
		Mono<String> costing(@RequestParam int n, @RequestParam BigDecimal more) {
			return Mono.just("ok");
		}

		@GetMapping("/nested")
		@RateLimited("method")
		Mono<String> nested() {
			return Mono.defer(this.inner::call);
		}

		@GetMapping("/later")
		CompletableFuture<String> later() {
			return CompletableFuture.supplyAsync(() -> "ok");
		}

		@GetMapping("/fails")
		String fail() {
			throw new ResponseStatusException(HttpStatus.BAD_GATEWAY);
		}

	}

	/**
	 * A form that Spring binds.
	 *
	 * @param client a field
	 */
	record Form(String client) {

	}

}
