package io.github.ratelimit.spring.charge;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class ReactiveGateTests {

	private static final List<Charge> HELD = List.of(Charge.of("held", "k"), Charge.of("spent", "k"));

	private final TestStore store = new TestStore(() -> 1_790_000_000_000_000L).delay();

	private final Policies policies = new Policies(List.of(policy("held", "1 concurrent"), policy("spent", "10/1h")));

	private RateLimiter limiter = new RateLimiter(this.policies, this.store, List.of());

	/** The tasks of the other thread. */
	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final List<Object> results = new ArrayList<>();

	private int calls;

	private static Policy policy(String name, String limit) {
		return new Policy(name, List.of(Limit.parse(limit)), List.of(Policy.EVERYONE))
			.withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 1));
	}

	@Test
	void makesACallOnItsOwnThreadOnceItIsAdmitted() {
		pass(this.tasks::add, Mono.just("result"));
		this.store.complete();
		assertThat(this.calls).isZero();
		runTasks();
		this.store.complete();
		assertThat(this.results).containsExactly("result");
		assertThatIsLeft(1, 9);
	}

	@Test
	void makesACallAtOnceThatIsDecidedAlready() {
		this.limiter = new RateLimiter(this.policies, new TestStore(), List.of());
		pass(this.tasks::add, Mono.just("result"));
		assertThat(this.results).containsExactly("result");
		assertThat(this.tasks).isEmpty();
	}

	@Test
	void refundsACallThatIsCancelledBeforeItsDecision() {
		pass(this.tasks::add, Mono.never()).dispose();
		this.store.complete();
		this.store.complete();
		assertThat(this.tasks).isEmpty();
		assertThat(this.calls).isZero();
		assertThatIsLeft(1, 10);
	}

	@Test
	void refundsACallThatIsCancelledOnItsWayToItsThread() {
		Disposable call = pass(this.tasks::add, Mono.never());
		this.store.complete();
		call.dispose();
		runTasks();
		this.store.complete();
		assertThat(this.calls).isZero();
		assertThatIsLeft(1, 10);
	}

	/** An error would be logged with its stack trace, by Reactor or the server. */
	@Test
	void endsACallSilentlyThatReachesItsThreadWhileItIsCancelled() {
		List<Throwable> failures = new ArrayList<>();
		ReactiveGate gate = gate(this.tasks::add);
		Mono<Boolean> request = gate.enter(charges(), RequestCharges.NONE, null, () -> this.tasks::add);
		for (Publisher<?> call : List.of(request,
				gate.pass(charges(), RequestCharges.NONE, null, () -> Mono.just("result")))) {
			Disposable subscribed = Flux.from(call)
				.doOnError(failures::add)
				.subscribe(this.results::add, failures::add);
			this.store.complete();
			this.store.decideOn((refund) -> runTasks());
			subscribed.dispose();
			assertThat(this.tasks).hasSize(1);
			this.tasks.clear();
			this.store.delay();
		}
		assertThat(this.results).isEmpty();
		assertThat(failures).isEmpty();
	}

	@Test
	void releasesButDoesNotRefundACallThatIsCancelledWhenItHasStarted() {
		Disposable call = pass(Runnable::run, Mono.never());
		this.store.complete();
		assertThatIsLeft(0, 9);
		call.dispose();
		this.store.complete();
		assertThatIsLeft(1, 9);
	}

	@Test
	void endsACallThatCannotBeMade() {
		pass(Runnable::run, () -> {
			throw new IllegalStateException("not made");
		});
		this.store.complete();
		this.store.complete();
		assertThat(this.results).singleElement().isInstanceOf(IllegalStateException.class);
		assertThatIsLeft(1, 9);
	}

	@Test
	void failsWithTheDenial() {
		pass(Runnable::run, Mono.never());
		this.store.complete();
		pass(this.tasks::add, Mono.never());
		this.store.complete();
		assertThat(this.results).isEmpty();
		runTasks();
		assertThat(this.results).singleElement().isInstanceOf(RateLimitExceededException.class);
		assertThat(this.calls).isEqualTo(1);
	}

	@Test
	void failsAsTheStoreDoesOnTheThreadOfTheCall() {
		pass(this.tasks::add, Mono.never());
		this.store.fail().complete();
		assertThat(this.results).isEmpty();
		runTasks();
		assertThat(this.results).singleElement().isInstanceOf(RateLimitStoreException.class);
	}

	@Test
	void makesACallOnThisThreadWhenItsOwnHasEnded() {
		pass((task) -> {
			throw new RejectedExecutionException();
		}, Mono.just("result"));
		this.store.complete();
		assertThat(this.results).containsExactly("result");
	}

	@Test
	void admitsARequestThatEndsLater() {
		RequestCharges request = new RequestCharges((decision) -> {
		});
		enter(request);
		this.store.complete();
		assertThatIsLeft(0, 9);
		request.end(null, null);
		this.store.complete();
		assertThatIsLeft(1, 9);
	}

	@Test
	void holdsNothingOfARequestThatEndedBeforeItsDecision() {
		RequestCharges request = new RequestCharges((decision) -> {
		});
		enter(request);
		request.end(null, null);
		this.store.complete();
		this.store.complete();
		assertThatIsLeft(1, 9);
	}

	@Test
	void holdsNothingOfARequestThatFailedBeforeItsDecision() {
		RequestCharges request = new RequestCharges((decision) -> {
		});
		enter(request);
		request.fail(new IllegalStateException());
		this.store.complete();
		this.store.complete();
		assertThatIsLeft(1, 9);
	}

	@Test
	void refundsAStageThatIsCancelledAsItsDecisionArrives() {
		CompletableFuture<Object> result = gate(this.tasks::add).stage(charges(), RequestCharges.NONE, null,
				(admission) -> {
					this.calls++;
					assertThat(admission.get()).isNotNull();
					return new CompletableFuture<>();
				});
		this.store.complete();
		result.cancel(true);
		runTasks();
		this.store.complete();
		assertThat(this.calls).isZero();
		assertThatIsLeft(1, 10);
	}

	private static CallCharges charges() {
		return CallCharges.of(HELD);
	}

	private ReactiveGate gate(Executor thread) {
		return new ReactiveGate(new Gate(this.limiter), thread);
	}

	private void enter(RequestCharges request) {
		gate(Runnable::run).enter(charges(), request, null, () -> Runnable::run).subscribe(this.results::add);
	}

	private Disposable pass(Executor thread, Mono<Object> result) {
		return pass(thread, () -> result);
	}

	private Disposable pass(Executor thread, Supplier<Mono<Object>> result) {
		Flux<Object> call = gate(thread).pass(charges(), RequestCharges.NONE, null, () -> {
			this.calls++;
			return result.get();
		});
		return call.subscribe(this.results::add, this.results::add);
	}

	private void assertThatIsLeft(long held, long spent) {
		assertThat(this.limiter.peek(HELD).limits()).extracting((limit) -> limit.remaining())
			.containsExactly(held, spent);
	}

	private void runTasks() {
		this.tasks.forEach(Runnable::run);
	}

}
