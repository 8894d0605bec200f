package io.github.ratelimit.sample.docs.recipes;

import java.util.List;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Service;

/**
 * A chat with a language model, charged by the tokens that it used.
 */
@Profile("docs")
@Service
class Assistant {

	private static final int MOST_OUTPUT_TOKENS = 500;

	private static final int CHARACTERS_PER_TOKEN = 3;

	private final RateLimiter limiter;

	private final Model model;

	Assistant(RateLimiter limiter, Model model) {
		this.limiter = limiter;
		this.model = model;
	}

	String answer(String tenant, String prompt) {
		int estimate = prompt.length() / CHARACTERS_PER_TOKEN + MOST_OUTPUT_TOKENS;
		Reservation reservation = this.limiter
			.reserve(List.of(new Charge("llm-tokens", tenant, estimate), Charge.of("llm-requests", tenant)));
		if (!reservation.decision().allowed()) {
			throw new RateLimitExceededException(reservation.decision());
		}
		try {
			Completion completion = this.model.complete(prompt, MOST_OUTPUT_TOKENS);
			this.limiter.adjust(reservation.perCharge().get(0), completion.totalTokens());
			return completion.text();
		}
		catch (IllegalStateException ex) {
			this.limiter.refund(reservation);
			throw ex;
		}
	}

	/**
	 * A language model.
	 */
	interface Model {

		/** Completes a prompt, or throws an {@link IllegalStateException}. */
		Completion complete(String prompt, int mostOutputTokens);

	}

	/**
	 * A text with what it cost.
	 *
	 * @param text the text
	 * @param totalTokens the tokens of the prompt and of the text
	 */
	record Completion(String text, int totalTokens) {

	}

}
