package io.github.ratelimit.test.app;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints with limits.
 */
@RestController
public class QuoteController {

	@GetMapping("/quotes")
	@RateLimited("quotes")
	String quote() {
		return "Haste makes waste.";
	}

	@GetMapping("/thread")
	@RateLimited("quotes")
	String thread() {
		return Thread.currentThread().toString();
	}

	@GetMapping("/later")
	@RateLimited("quotes")
	Mono<String> later() {
		return Mono.just("Slow and steady wins the race.");
	}

	@GetMapping("/tenant")
	@RateLimited("tenants")
	String tenant() {
		return "acme";
	}

	@GetMapping("/search")
	String search() {
		return "Nothing.";
	}

	@GetMapping("/missing")
	@RateLimited(policy = "uploads", key = "principal")
	String unlimited() {
		return "";
	}

	@GetMapping("/account")
	@RateLimited("accounts")
	String account() {
		return "Ada's.";
	}

	@GetMapping({ "/routed/{id}", "/other/{id}" })
	@RateLimited("routes")
	String routed(@PathVariable String id) {
		return id;
	}

	@GetMapping("/own")
	@RateLimited(policy = "quotes", key = "#author")
	String own(@RequestParam String author) {
		return "By " + author;
	}

}
