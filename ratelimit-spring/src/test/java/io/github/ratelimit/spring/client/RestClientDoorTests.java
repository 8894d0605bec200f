package io.github.ratelimit.spring.client;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.charge.DoorContract;
import org.junit.jupiter.api.AfterEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestClient;

/** Calls of a {@code RestClient}, whose thread is interrupted. */
class RestClientDoorTests extends DoorContract {

	private static final Duration LONGEST = Duration.ofMillis(1);

	private final Scheduler threads = Schedulers.newBoundedElastic(4, 10_000, "calls");

	/** A decision that is interrupted does not admit, though the store may have. */
	@Override
	protected boolean worksOnceAdmitted() {
		return false;
	}

	@Override
	protected int latestMicros() {
		return 500;
	}

	@Override
	protected Publisher<?> open(RateLimiter limiter, Supplier<Mono<String>> work) {
		RateLimitedClients clients = new RateLimitedClients(limiter, this.policies,
				new UpstreamPauses(new SteppedOutboundClock()));
		RestClient client = RestClient.builder()
			.requestInterceptor(clients.interceptor(SPENT, (request) -> Policy.EVERYONE))
			.requestInterceptor(clients.interceptor(HELD, (request) -> Policy.EVERYONE))
			.requestInterceptor((request, body, execution) -> response(work.get()))
			.build();
		return Mono.fromCallable(() -> client.get().uri("https://partner.example/").retrieve().toBodilessEntity())
			.subscribeOn(this.threads);
	}

	private static ClientHttpResponse response(Mono<String> work) throws InterruptedIOException {
		try {
			work.timeout(LONGEST, Mono.just("late")).block();
		}
		catch (IllegalStateException ex) {
			throw new InterruptedIOException();
		}
		return new MockClientHttpResponse(new byte[0], HttpStatus.OK);
	}

	@AfterEach
	void stopThreads() {
		this.threads.dispose();
	}

}
