package io.github.ratelimit.sample.docs.migration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;

/**
 * An export that all callers share.
 */
class Exports {

	@RateLimited("exports")
	String export() {
		return "All articles";
	}

	/**
	 * A caller with an answer of its own to a denial.
	 *
	 * @param exports the export
	 */
	record Caller(Exports exports) {

		String exportOrLastOne() {
			try {
				return this.exports.export();
			}
			catch (RateLimitExceededException ex) {
				return "The articles of yesterday";
			}
		}

	}

}
