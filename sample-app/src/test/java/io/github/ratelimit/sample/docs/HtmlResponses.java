package io.github.ratelimit.sample.docs;

import java.util.List;

import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * A page that browsers show, while other clients get the standard response.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class HtmlResponses {

	@Bean
	RateLimitResponseCustomizer page() {
		return (refusal, standard, request) -> {
			List<String> accepted = request.getHeaders().getOrEmpty(HttpHeaders.ACCEPT);
			if (!accepted.toString().contains("text/html")) {
				return standard;
			}
			return ResponseEntity.status(standard.getStatusCode())
				.headers(standard.getHeaders())
				.contentType(MediaType.TEXT_HTML)
				.body("<p>Please come back later.</p>");
		};
	}

}
