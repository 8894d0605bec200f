package io.github.ratelimit.spring.charge;

import java.util.List;

/**
 * A source of the request that the current thread serves, whose end is reported.
 */
@FunctionalInterface
public interface RequestSource {

	/**
	 * Returns the charges of the request that the current thread serves.
	 * @return the charges; {@link RequestCharges#NONE} outside a request
	 */
	RequestCharges current();

	/**
	 * Returns a source of the first request that one of several sources knows.
	 * @param sources the sources in order
	 * @return the source
	 */
	static RequestSource firstOf(List<RequestSource> sources) {
		return (sources.size() == 1) ? sources.get(0) : () -> first(sources);
	}

	private static RequestCharges first(List<RequestSource> sources) {
		for (RequestSource source : sources) {
			RequestCharges request = source.current();
			if (request.exists()) {
				return request;
			}
		}
		return RequestCharges.NONE;
	}

}
