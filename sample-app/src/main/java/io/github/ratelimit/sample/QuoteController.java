package io.github.ratelimit.sample;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.github.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints limited by annotations and by rules.
 */
@RestController
class QuoteController {

	private static final List<String> QUOTES = List.of("Slow and steady wins the race.", "Haste makes waste.",
			"Everything in moderation.");

	private final QuoteArchive archive;

	QuoteController(QuoteArchive archive) {
		this.archive = archive;
	}

	/** A policy from application.yml: so many calls for each client address. */
	@GetMapping("/quotes")
	@RateLimited("quotes")
	String quote() {
		return QUOTES.get(ThreadLocalRandom.current().nextInt(QUOTES.size()));
	}

	/** Limited by a rule in application.yml, for each client address. */
	@GetMapping("/search")
	List<String> search(@RequestParam String text) {
		return QUOTES.stream().filter((quote) -> quote.contains(text)).toList();
	}

	/**
	 * Limited by a rule too, for each API key, once it has been checked; by the
	 * customer's plan.
	 */
	@GetMapping("/api/quotes")
	List<String> all() {
		return QUOTES;
	}

	/** A limit on the spot, for each value of a request parameter. */
	@GetMapping("/quotes/by-author")
	@RateLimited(limit = "3/1m", key = "#author")
	String quoteBy(@RequestParam String author) {
		return "A quote by somebody.";
	}

	/** A cost by expression: a permit for each kilobyte or part of one. */
	@PostMapping("/quotes")
	@RateLimited(policy = "uploads", cost = "#text.length() / 1024.0")
	int upload(@RequestBody String text) {
		return text.length();
	}

	/** A limited bean method behind an endpoint that is not limited itself. */
	@GetMapping("/quotes/archive")
	CompletableFuture<String> archived() {
		return this.archive.oldest();
	}

}
