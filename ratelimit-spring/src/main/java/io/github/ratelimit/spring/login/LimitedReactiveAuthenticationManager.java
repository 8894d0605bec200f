package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.CallCharges;
import io.github.ratelimit.spring.charge.ReactiveGate;
import io.github.ratelimit.spring.charge.RequestCharges;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;

/**
 * The {@link LimitedAuthenticationManager} of WebFlux. No thread of the store checks a
 * password, and no thread waits.
 */
public final class LimitedReactiveAuthenticationManager implements ReactiveAuthenticationManager {

	private final ReactiveAuthenticationManager manager;

	private final Supplier<LoginLimiter> limiter;

	private final ReactiveCallerSource callers = new ReactiveCallerSource();

	/**
	 * Creates a manager.
	 * @param manager authenticates
	 * @param limiter supplies the limiter at the first login
	 */
	public LimitedReactiveAuthenticationManager(ReactiveAuthenticationManager manager, Supplier<LoginLimiter> limiter) {
		this.manager = manager;
		this.limiter = limiter;
	}

	@Override
	public Mono<Authentication> authenticate(Authentication login) {
		return this.callers.current().defaultIfEmpty(Caller.NONE).flatMap((caller) -> {
			List<Charge> charges = this.limiter.get().charges(login, caller);
			return charges.isEmpty() ? this.manager.authenticate(login)
					: authenticate(login, caller, charges, this.limiter.get());
		});
	}

	private Mono<Authentication> authenticate(Authentication login, Caller caller, List<Charge> charges,
			LoginLimiter limiter) {
		return attempt(login, caller, charges, limiter).repeatWhenEmpty((busy) -> pauses(busy, limiter.mostPauses()))
			.flatMap(Mono::justOrEmpty);
	}

	private static Publisher<?> pauses(Flux<Long> busy, int most) {
		return busy.concatMap((pauses) -> (pauses < most) ? Mono.delay(LoginLimiter.PAUSE)
				: Mono.error(LoginLimiter.waitedTooLong()));
	}

	/**
	 * Emits the result of the check, which may be none, or nothing if others go first. A
	 * check that has begun goes on when its subscriber cancels, as its password is
	 * charged if it is wrong.
	 */
	private Mono<Optional<Authentication>> attempt(Authentication login, Caller caller, List<Charge> charges,
			LoginLimiter limiter) {
		return Mono.create((sink) -> {
			Sinks.Empty<Void> cancelled = Sinks.empty();
			AtomicBoolean isCancelled = new AtomicBoolean();
			sink.onCancel(() -> {
				isCancelled.set(true);
				cancelled.tryEmitEmpty();
			});
			Disposable unused = Mono
				.usingWhen(decided(() -> limiter.startAsync(charges)), (check) -> look(charges, check, limiter)
					.flatMap((look) -> isCancelled.get() ? Mono.empty()
							: enter(look.room(), login, charges, limiter).doOnNext(
									(user) -> user.ifPresent((any) -> limiter.passed(login, caller, charges, look)))),
						(check) -> Mono.fromCompletionStage(() -> limiter.endAsync(check)))
				.takeUntilOther(cancelled.asMono().then(Mono.delay(limiter.longestAfterCancel())))
				.contextWrite(sink.contextView())
				.subscribe(sink::success, sink::error, sink::success);
		});
	}

	private static Mono<Look> look(List<Charge> charges, Reservation check, LoginLimiter limiter) {
		return decided(() -> limiter.leftAsync(charges)).map((left) -> Look.of(charges, check.decision(), left))
			.onErrorReturn(BlockedCallerException.class, Look.BANNED);
	}

	private Mono<Optional<Authentication>> enter(Room room, Authentication login, List<Charge> charges,
			LoginLimiter limiter) {
		return switch (room) {
			case BUSY -> Mono.empty();
			case FREE -> result(this.manager.authenticate(login)
				.onErrorResume(LoginLimiter::isWrongPassword,
						(failure) -> pass(CallCharges.of(charges), limiter, Mono.error(failure))));
			case SPENT ->
				result(pass(LoginLimiter.refundedUnlessWrong(charges), limiter, this.manager.authenticate(login)));
		};
	}

	private static Mono<Authentication> pass(CallCharges charges, LoginLimiter limiter, Mono<Authentication> result) {
		return new ReactiveGate(limiter.gate(), (task) -> Schedulers.parallel().schedule(task))
			.pass(charges, RequestCharges.NONE, null, () -> result)
			.singleOrEmpty();
	}

	private static Mono<Optional<Authentication>> result(Mono<Authentication> result) {
		return result.map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	/** Emits a decision, away from the threads of the store. */
	private static <T> Mono<T> decided(Supplier<CompletionStage<T>> decision) {
		return Mono.defer(() -> {
			CompletableFuture<T> pending = decision.get().toCompletableFuture();
			return pending.isDone() ? Mono.fromFuture(pending)
					: Mono.fromFuture(pending).publishOn(Schedulers.parallel());
		});
	}

}
