package io.github.ratelimit.sample.docs;

import java.util.Objects;

import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.RateLimitedWebClients;

import org.springframework.http.HttpHeaders;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Clients whose calls are limited.
 */
class Partners {

	RestClient restClient(RateLimitedClients clients) {
		return RestClient.builder().requestInterceptor(clients.interceptor("partner")).build();
	}

	WebClient webClient(RateLimitedWebClients clients) {
		return WebClient.builder().filter(clients.filter("partner")).build();
	}

	RestClient perTenant(RateLimitedClients clients) {
		return RestClient.builder()
			.requestInterceptor(clients.interceptor("partner", (request) -> tenant(request.getHeaders())))
			.build();
	}

	private static String tenant(HttpHeaders headers) {
		return Objects.requireNonNullElse(headers.getFirst("X-Tenant"), "none");
	}

}
