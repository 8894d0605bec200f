package io.github.ratelimit.test.app;

import io.github.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * A service with limits.
 */
@Service
public class ReportService {

	/**
	 * Prints at a steady pace.
	 * @return a report
	 */
	@RateLimited("reports")
	public String print() {
		return "All was well.";
	}

	/**
	 * Prints for a reader.
	 * @param reader the reader
	 * @return a report
	 */
	@RateLimited(limit = "3/1h", key = "#reader")
	public String printFor(String reader) {
		return "All was well, " + reader + ".";
	}

	/**
	 * Counts in shadow.
	 */
	@RateLimited("trial")
	public void attempt() {
	}

	/**
	 * Uploads for the user.
	 */
	@RateLimited("uploads")
	public void upload() {
	}

	/**
	 * Uploads for the user, later.
	 * @return nothing
	 */
	@RateLimited("uploads")
	public Mono<Void> uploadLater() {
		return Mono.empty();
	}

}
