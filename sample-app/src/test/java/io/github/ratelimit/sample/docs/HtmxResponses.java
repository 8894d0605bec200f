package io.github.ratelimit.sample.docs;

import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Responses that htmx shows in its page.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class HtmxResponses {

	@Bean
	RateLimitResponseCustomizer fragments() {
		return (refusal, standard, request) -> request.getHeaders().containsHeader("HX-Request")
				? ResponseEntity.status(standard.getStatusCode())
					.headers(standard.getHeaders())
					.contentType(MediaType.TEXT_HTML)
					.body("<p>Please come back later.</p>")
				: standard;
	}

}
