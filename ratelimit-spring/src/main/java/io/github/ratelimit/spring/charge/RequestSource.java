package io.github.ratelimit.spring.charge;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A source of the request that the current thread serves, whose end is reported.
 */
@FunctionalInterface
public interface RequestSource {

	/**
	 * Returns the charges of the request that the current thread serves.
	 * @return the charges, or {@code null} outside a request
	 */
	@Nullable RequestCharges current();

	/**
	 * Returns a source of the first request that one of several sources knows.
	 * @param sources the sources in order
	 * @return the source
	 */
	static RequestSource firstOf(List<RequestSource> sources) {
		return (sources.size() == 1) ? sources.get(0) : () -> first(sources);
	}

	private static @Nullable RequestCharges first(List<RequestSource> sources) {
		for (RequestSource source : sources) {
			RequestCharges request = source.current();
			if (request != null) {
				return request;
			}
		}
		return null;
	}

}
