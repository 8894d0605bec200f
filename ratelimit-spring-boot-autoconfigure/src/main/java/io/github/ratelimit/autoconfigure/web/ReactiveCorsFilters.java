package io.github.ratelimit.autoconfigure.web;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;

/**
 * The CORS filters of a reactive application, including those that Spring Security
 * creates from configuration beans.
 */
final class ReactiveCorsFilters {

	private ReactiveCorsFilters() {
	}

	/** Returns the filters of an application in order. */
	static List<CorsWebFilter> in(ListableBeanFactory beans) {
		return Stream
			.concat(beans.getBeanProvider(CorsConfigurationSource.class).orderedStream().map(CorsWebFilter::new),
					beans.getBeanProvider(CorsWebFilter.class).orderedStream())
			.toList();
	}

}
