package io.github.ratelimit.sample;

import io.github.ratelimit.spring.client.RateLimitedClients;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * Calls the API of a partner no more often than was agreed, and leaves it alone when it
 * asks for that.
 */
@Component
class PartnerClient {

	private final RestClient client;

	private final Environment environment;

	PartnerClient(RestClient.Builder builder, RateLimitedClients clients, Environment environment) {
		this.client = builder.requestInterceptor(clients.interceptor("partner")).build();
		this.environment = environment;
	}

	@Nullable String quote() {
		String url = this.environment.getRequiredProperty("partner.url");
		return this.client.get().uri(url).retrieve().body(String.class);
	}

}
