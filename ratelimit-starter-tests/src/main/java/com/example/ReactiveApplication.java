package com.example;

import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application on Spring WebFlux. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class ReactiveApplication {

	/** A controller. */
	@RestController
	static class GreetingController {

		@GetMapping("/")
		Mono<String> greet() {
			return Mono.just("Hello");
		}

	}

}
