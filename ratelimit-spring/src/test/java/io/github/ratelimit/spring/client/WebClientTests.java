package io.github.ratelimit.spring.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.spring.web.Response;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebClientTests extends OutboundContract {

	private final RateLimitedWebClients clients = new RateLimitedWebClients(this.limiter, this.policies, this.pauses,
			this.clock);

	@Override
	int call(String policy, String uri) {
		return status(mono(this.clients.filter(policy), uri));
	}

	@Override
	int call(String policy, Function<URI, String> key, String uri) {
		return status(mono(this.clients.filter(policy, (request) -> key.apply(request.url())), uri));
	}

	@Override
	int call(String policy, long cost, String uri) {
		return status(mono(this.clients.filter(policy, (request) -> request.url().toString(), (request) -> cost), uri));
	}

	@Test
	void decidesEachSubscription() {
		Mono<Integer> call = mono(this.clients.filter("strict"), "https://partner.example/");
		assertThat(this.calls).isEmpty();
		assertThat(status(call) + status(call)).isEqualTo(400);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::block);
		assertThat(this.calls).hasSize(2);
	}

	@Test
	void refundsTheTurnIfTheSubscriberCancels() {
		Mono<Integer> call = mono(this.clients.filter("queue", (request) -> "all"), "https://partner.example/");
		assertThat(status(call)).isEqualTo(200);
		call.subscribe().dispose();
		assertThat(this.limiter.peek(List.of(Charge.of("queue", "all"))).waitMicros()).isEqualTo(10_000);
		assertThat(this.calls).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "patient", "patient-slots" })
	void refundsIfTheSubscriberCancelsDuringAPauseAfterTheCharge(String policy) {
		this.policies.add(policy("patient-slots", "1 concurrent", Duration.ofSeconds(30)));
		RateLimitedWebClients endless = new RateLimitedWebClients(this.limiter, this.policies, this.pauses,
				new EndlessDelays());
		this.meanwhile = () -> this.pauses.pause(policy, "all", Duration.ofSeconds(7));
		Disposable call = mono(endless.filter(policy, (request) -> "all"), "https://partner.example/").subscribe();
		Charge charge = new Charge(policy, "all", 0);
		LimitDecision charged = this.limiter.peek(List.of(charge)).limits().get(0);
		assertThat(charged.remaining()).isEqualTo(charged.limit().burst() - 1);
		call.dispose();
		LimitDecision refunded = this.limiter.peek(List.of(charge)).limits().get(0);
		assertThat(refunded.remaining()).isEqualTo(refunded.limit().burst());
		assertThat(this.calls).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "wide", "slots" })
	void leavesTheThreadsOfTheStore(String policy) {
		List<String> threads = new CopyOnWriteArrayList<>();
		this.work = () -> threads.add(Thread.currentThread().getName());
		mono(decidedLater().filter(policy), "https://partner.example/").doOnNext((status) -> this.work.run()).block();
		assertThat(threads).hasSize(2).noneMatch((thread) -> thread.startsWith(TestStore.THREAD));
	}

	@Test
	void leavesTheThreadsOfTheStoreIfItRefunds() {
		AtomicReference<String> thread = new AtomicReference<>();
		this.meanwhile = () -> this.pauses.pause("wide", "partner.example", Duration.ofSeconds(7));
		assertThatExceptionOfType(UpstreamPausedException.class)
			.isThrownBy(mono(decidedLater().filter("wide"), "https://partner.example/")
				.doOnError((ex) -> thread.set(Thread.currentThread().getName()))::block);
		assertThat(thread.get()).doesNotStartWith(TestStore.THREAD);
	}

	private RateLimitedWebClients decidedLater() {
		return new RateLimitedWebClients(new RateLimiter(this.policies, this.store.decideLater(), List.of()),
				this.policies, this.pauses);
	}

	private static int status(Mono<Integer> call) {
		return Objects.requireNonNull(call.block());
	}

	private Mono<Integer> mono(ExchangeFilterFunction filter, String uri) {
		return WebClient.builder()
			.exchangeFunction(this::exchange)
			.filter(filter)
			.build()
			.get()
			.uri(uri)
			.exchangeToMono((response) -> Mono.just(response.statusCode().value()));
	}

	private Mono<ClientResponse> exchange(ClientRequest request) {
		Response response = respond();
		return Mono.just(ClientResponse.create(HttpStatus.valueOf(response.status()))
			.headers((headers) -> headers.putAll(response.headers()))
			.build());
	}

	/** A scheduler whose delays never end. */
	private static final class EndlessDelays implements Scheduler {

		@Override
		public Disposable schedule(Runnable task) {
			task.run();
			return Disposables.disposed();
		}

		@Override
		public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
			return Disposables.single();
		}

		@Override
		public Worker createWorker() {
			throw new UnsupportedOperationException();
		}

	}

}
