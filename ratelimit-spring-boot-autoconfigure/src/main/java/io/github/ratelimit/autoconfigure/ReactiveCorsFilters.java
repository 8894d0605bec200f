package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;

/**
 * Finds the CORS filters of a reactive application, and those that Spring Security makes
 * of configuration beans.
 */
final class ReactiveCorsFilters {

	private ReactiveCorsFilters() {
	}

	static List<CorsWebFilter> in(ListableBeanFactory beans) {
		return Stream
			.concat(beans.getBeanProvider(CorsConfigurationSource.class).orderedStream().map(CorsWebFilter::new),
					beans.getBeanProvider(CorsWebFilter.class).orderedStream())
			.toList();
	}

}
