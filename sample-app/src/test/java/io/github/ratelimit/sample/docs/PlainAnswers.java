package io.github.ratelimit.sample.docs;

import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * Answers made of the standard ones.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class PlainAnswers {

	@Bean
	RateLimitResponseCustomizer plainText() {
		return (refusal, standard) -> ResponseEntity.status(standard.getStatusCode())
			.headers(standard.getHeaders())
			.contentType(MediaType.TEXT_PLAIN)
			.body("Please come back later.");
	}

}
