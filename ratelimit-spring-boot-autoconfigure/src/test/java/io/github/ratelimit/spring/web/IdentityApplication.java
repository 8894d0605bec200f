package io.github.ratelimit.spring.web;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that callers lie to.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(IdentityApplication.Controller.class)
public class IdentityApplication {

	static final int PERMITS = 10;

	/**
	 * Returns the configuration.
	 * @return properties
	 */
	public static String[] properties() {
		return new String[] { "ratelimit.store=memory", "ratelimit.http.trusted-proxies=127.0.0.8/29",
				"ratelimit.policies.limited.limits=" + PERMITS + "/1h", "ratelimit.policies.limited.key=client-ip",
				"ratelimit.policies.keyed.limits=" + PERMITS + "/1h",
				"ratelimit.policies.keyed.key=header:X-Api-Key,client-ip",
				"ratelimit.policies.known.limits=" + PERMITS + "/1h", "ratelimit.policies.known.key=header:X-Api-Key",
				"ratelimit.policies.known.on-missing-key=deny" };
	}

	/** Returns a {@code Mono}, which both kinds of server can send. */
	@RestController
	static class Controller {

		@GetMapping("/limited")
		@RateLimited("limited")
		Mono<String> limited() {
			return Mono.just("ok");
		}

		@GetMapping("/known")
		@RateLimited("known")
		Mono<String> known() {
			return Mono.just("ok");
		}

		@GetMapping("/keyed")
		@RateLimited("keyed")
		Mono<String> keyed() {
			return Mono.just("ok");
		}

	}

}
