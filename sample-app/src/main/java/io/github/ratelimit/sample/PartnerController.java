package io.github.ratelimit.sample;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;

/**
 * Quotes of a partner, and the partner itself, so that the sample runs alone.
 */
@RestController
class PartnerController {

	private final PartnerClient partner;

	PartnerController(PartnerClient partner) {
		this.partner = partner;
	}

	@GetMapping("/quotes/partner")
	@Nullable String quote() {
		return this.partner.quote();
	}

	/** Our callers did nothing wrong when the partner wants a rest. */
	@ExceptionHandler({ RateLimitExceededException.class, HttpClientErrorException.TooManyRequests.class })
	ProblemDetail partnerIsBusy() {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "Our partner is busy");
	}

	/**
	 * The partner, who allows less than we think.
	 */
	@RestController
	static class Partner {

		@GetMapping("/partner/quote")
		@RateLimited(policy = "of-the-partner", limit = "3/1m")
		String quote() {
			return "Patience is a virtue.";
		}

	}

}
