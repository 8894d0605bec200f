package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.charge.Handover;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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
					: authenticate(login, charges, this.limiter.get());
		});
	}

	private Mono<Authentication> authenticate(Authentication login, List<Charge> charges, LoginLimiter limiter) {
		Mono<Reservation> check = reservation(() -> limiter.startAsync(charges).toCompletableFuture(),
				limiter::endAsync);
		return Mono
			.usingWhen(check,
					(started) -> room(charges, started, limiter)
						.flatMap((room) -> enter(room, login, charges, limiter)),
					(started) -> Mono.fromCompletionStage(() -> limiter.endAsync(started)))
			.repeatWhenEmpty((busy) -> pauses(busy, limiter.mostPauses()))
			.flatMap(Mono::justOrEmpty);
	}

	private static Publisher<?> pauses(Flux<Long> busy, int most) {
		return busy.concatMap((pauses) -> (pauses < most) ? Mono.delay(LoginLimiter.PAUSE)
				: Mono.error(LoginLimiter.waitedTooLong()));
	}

	private static Mono<Room> room(List<Charge> charges, Reservation check, LoginLimiter limiter) {
		return Mono.defer(() -> {
			CompletableFuture<Decision> left = limiter.leftAsync(charges).toCompletableFuture();
			return left.isDone() ? Mono.fromFuture(left) : Mono.fromFuture(left).publishOn(Schedulers.parallel());
		})
			.map((left) -> Room.of(charges, check.decision(), left))
			.onErrorReturn(BlockedCallerException.class, Room.SPENT);
	}

	/**
	 * Emits the result of the check, which may be none, or nothing if others go first.
	 */
	private Mono<Optional<Authentication>> enter(Room room, Authentication login, List<Charge> charges,
			LoginLimiter limiter) {
		return switch (room) {
			case BUSY -> Mono.empty();
			case FREE -> result(this.manager.authenticate(login)
				.onErrorResume(LoginLimiter::isWrongPassword,
						(failure) -> charge(charges, limiter).then(Mono.error(failure))));
			case SPENT -> result(Mono.usingWhen(charge(charges, limiter), (charged) -> this.manager.authenticate(login),
					(charged) -> refund(charged, limiter), (charged, failure) -> LoginLimiter.isWrongPassword(failure)
							? Mono.empty() : refund(charged, limiter),
					(charged) -> refund(charged, limiter)));
		};
	}

	private static Mono<Optional<Authentication>> result(Mono<Authentication> result) {
		return result.map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	private static Mono<Reservation> charge(List<Charge> charges, LoginLimiter limiter) {
		return reservation(() -> limiter.chargeAsync(charges).toCompletableFuture(), limiter::refundAsync)
			.map(LoginLimiter::admitted);
	}

	private static Mono<Void> refund(Reservation charged, LoginLimiter limiter) {
		return Mono.fromCompletionStage(() -> limiter.refundAsync(charged));
	}

	private static Mono<Reservation> reservation(Supplier<CompletableFuture<Reservation>> pending,
			Consumer<Reservation> undo) {
		return Mono
			.defer(() -> Handover.whenDecided(pending.get(), LimitedReactiveAuthenticationManager::thread, undo));
	}

	private static Executor thread() {
		return Schedulers.parallel()::schedule;
	}

}
