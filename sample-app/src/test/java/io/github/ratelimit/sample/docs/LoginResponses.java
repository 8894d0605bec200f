package io.github.ratelimit.sample.docs;

import java.net.URI;

import io.github.ratelimit.spring.web.RateLimitResponseCustomizer;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * A form whose page tells why a login is denied.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class LoginResponses {

	@Bean
	RateLimitResponseCustomizer loginPage() {
		return (refusal, standard, request) -> request.getMethod().equals(HttpMethod.POST)
				&& request.getURI().getPath().equals("/login")
				&& request.getHeaders().getAccept().contains(MediaType.TEXT_HTML)
						? ResponseEntity.status(HttpStatus.SEE_OTHER).location(URI.create("/login?denied")).build()
						: standard;
	}

}
