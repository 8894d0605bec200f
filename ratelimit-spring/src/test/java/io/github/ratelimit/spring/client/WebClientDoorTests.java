package io.github.ratelimit.spring.client;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.DoorContract;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** Calls of a {@code WebClient} with a filter for each policy. */
class WebClientDoorTests extends DoorContract {

	/** The filter of one policy admits calls that end before the other decides. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		RateLimitedWebClients clients = new RateLimitedWebClients(limiter, this.policies,
				new UpstreamPauses(new SteppedOutboundClock()));
		WebClient client = WebClient.builder()
			.exchangeFunction((request) -> work.get().map((text) -> ClientResponse.create(HttpStatus.OK).build()))
			.filters((filters) -> List.of(SPENT, HELD).forEach((policy) -> filters.add(filter(clients, policy))))
			.build();
		return client.get().uri("https://partner.example/").retrieve().toBodilessEntity();
	}

	private static ExchangeFilterFunction filter(RateLimitedWebClients clients, String policy) {
		return clients.filter(policy, (request) -> Policy.EVERYONE);
	}

}
