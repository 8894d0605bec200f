package io.github.ratelimit.sample;

import io.github.ratelimit.RateLimited;

import org.springframework.stereotype.Service;

/**
 * Prints at a steady pace for all callers together: a leaky bucket for which calls wait
 * in line.
 */
@Service
class ReportPrinter {

	@RateLimited("reports")
	String print(String month) {
		return "All was well in " + month + ".";
	}

}
