package io.github.ratelimit.sample.docs;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

	@RateLimited(policy = "reports", maxWait = "2s")
	String queued() {
		return "queued";
	}

	@RateLimited(policy = "uploads", refundOn = IOException.class)
	CompletionStage<String> store(Upload file) {
		return CompletableFuture.failedFuture(new IOException("the disk is full"));
	}

	/** Who asks. */
	record User(String name) {

		/** A bean property, as expressions read them. */
		public String getName() {
			return this.name;
		}

	}

	/** An upload. */
	record Upload(long size) {

	}

}
