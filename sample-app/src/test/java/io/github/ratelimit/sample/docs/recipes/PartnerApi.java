package io.github.ratelimit.sample.docs.recipes;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.client.RateLimitedClients;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * A client of a partner that counts all calls of an account together.
 */
@Profile("docs")
@Component
class PartnerApi {

	private final RestClient client;

	PartnerApi(RestClient.Builder builder, RateLimitedClients clients) {
		this.client = builder.requestInterceptor(clients.interceptor("partner", (request) -> Policy.EVERYONE)).build();
	}

	@Nullable String stock(String article) {
		return this.client.get().uri("https://partner.example/stock/{article}", article).retrieve().body(String.class);
	}

}
