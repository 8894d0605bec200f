package io.github.ratelimit.spring.web;

/**
 * The terms by which a request of a route pays once its response is complete, as
 * expressions that may use {@code #response}.
 *
 * @param actual the permits that the request turned out to cost; empty for its cost
 * @param chargeWhen the condition of requests that pay; empty for all
 * @param refundWhen the condition of requests that pay nothing; empty for none
 */
public record RouteOutcome(String actual, String chargeWhen, String refundWhen) {

	/** The outcome of routes whose requests pay their cost. */
	public static final RouteOutcome NONE = new RouteOutcome("", "", "");

	/** Returns whether a request pays its cost, whatever its response. */
	boolean isEmpty() {
		return equals(NONE);
	}

}
