package io.github.ratelimit.sample.docs;

import io.github.ratelimit.RateLimited;

/**
 * Limited methods, one for each attribute.
 */
class Reports {

	@RateLimited("reports")
	String daily() {
		return "daily";
	}

	@RateLimited(limit = "5/1m", key = "#user.name")
	String monthly(User user) {
		return "monthly of " + user.name();
	}

	@RateLimited(policy = "uploads", cost = "#file.size() / 1024.0")
	long upload(Upload file) {
		return file.size();
	}

	@RateLimited(policy = "yearly-report", limit = "${reports.yearly:2/1d}", key = "principal")
	String yearly() {
		return "yearly";
	}

	/** Who asks. */
	record User(String name) {

		/** A bean property, as expressions read them. */
		public String getName() {
			return this.name;
		}

	}

	/** What somebody sends. */
	record Upload(long size) {

	}

}
