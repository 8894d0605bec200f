package io.github.ratelimit.spring.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.script.DetachedCodec;
import io.github.ratelimit.spring.redis.script.DetachedPlace;
import io.github.ratelimit.spring.redis.script.OtherTimeException;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ScriptInvocation;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.ReplyHandler;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The detached reservations in Redis. Each charge has a key in the slot of its counts, so
 * that one script settles it and corrects them. The places of those that are refunded if
 * they are not settled are in one sorted set. Thread-safe.
 */
final class RedisDetachedReservations implements DetachedReservations {

	private static final Log logger = LogFactory.getLog(RedisDetachedReservations.class);

	private final ScriptRunner runner;

	private final ScriptCodec decisions;

	private final DetachedCodec codec;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates the detached reservations of a store.
	 * @param decisions the codec of corrections
	 */
	RedisDetachedReservations(ScriptRunner runner, ScriptCodec decisions, DetachedCodec codec) {
		this.runner = runner;
		this.decisions = decisions;
		this.codec = codec;
	}

	@Override
	public CompletionStage<byte[]> keep(DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
		DetachedPlace place = this.codec.place(charge);
		CompletionStage<?> expected = refundUnsettled ? run(this.codec.expect(place, lifeMicros), DetachedCodec::time)
				: CompletableFuture.completedFuture(null);
		return expected
			.thenCompose(
					(known) -> run(this.codec.keep(place, charge, lifeMicros, refundUnsettled), DetachedCodec::time))
			.thenApply((time) -> new DetachedPlace.Expiring(place, time + lifeMicros).bytes());
	}

	@Override
	public CompletionStage<Settlement> settle(byte[] place, Function<DetachedCharge, StoreRequest> correction) {
		DetachedPlace.Expiring known = DetachedPlace.Expiring.of(place);
		return run(this.codec.find(known.place()), (reply) -> DetachedCodec.found(reply, known.place()))
			.thenCompose((found) -> settle(known, found, correction));
	}

	private CompletionStage<Settlement> settle(DetachedPlace.Expiring known, DetachedCodec.Found found,
			Function<DetachedCharge, StoreRequest> correction) {
		DetachedCharge charge = found.charge();
		if (charge == null) {
			return CompletableFuture.completedFuture(found.settled() ? Settlement.ALREADY_SETTLED
					: (found.time() >= known.endMicros()) ? Settlement.EXPIRED : Settlement.UNKNOWN);
		}
		return (found.time() >= found.endMicros()) ? CompletableFuture.completedFuture(Settlement.EXPIRED)
				: settle(known, correction.apply(charge), false);
	}

	/**
	 * Settles a charge, once more if the clock of Redis is not in the window of the
	 * calendar in which this instance believed it to be.
	 */
	private CompletableFuture<Settlement> settle(DetachedPlace.Expiring known, StoreRequest correction, boolean isDue) {
		return trySettle(known, correction, isDue).exceptionallyCompose((failure) -> {
			if (RedisFailures.of(failure) instanceof OtherTimeException server) {
				this.decisions.setClock(server);
				return trySettle(known, correction, isDue);
			}
			return CompletableFuture.failedFuture(failure);
		});
	}

	private CompletableFuture<Settlement> trySettle(DetachedPlace.Expiring known, StoreRequest correction,
			boolean isDue) {
		return run(this.codec.settle(known.place(), correction, isDue),
				(reply) -> DetachedCodec.settlement(reply, known.endMicros()));
	}

	@Override
	public CompletionStage<OptionalLong> refundDue(Consumer<DetachedCharge> refunded) {
		return refundDue(List.of(), refunded);
	}

	/** Refunds some charges after another until none is due. */
	private CompletionStage<OptionalLong> refundDue(List<DetachedPlace> done, Consumer<DetachedCharge> refunded) {
		return run(this.codec.due(done), DetachedCodec::readDue).thenCompose((due) -> {
			warnOf(due.others());
			return due.isEmpty() ? CompletableFuture.completedFuture(due.next())
					: refund(due.places(), refunded).thenCompose((next) -> refundDue(next, refunded));
		});
	}

	private void warnOf(int others) {
		if (others > 0 && this.warned.compareAndSet(false, true)) {
			logger.warn("Redis has " + others + " detached reservations that another version or application has added; "
					+ "this instance does not refund them");
		}
	}

	/** Refunds charges, and returns those that need no refund any more. */
	private CompletionStage<List<DetachedPlace>> refund(List<DetachedPlace> due, Consumer<DetachedCharge> refunded) {
		CompletionStage<List<DetachedPlace>> all = CompletableFuture.completedFuture(new ArrayList<>());
		for (DetachedPlace place : due) {
			all = all.thenCompose((done) -> refund(place, refunded).thenApply((isDone) -> {
				if (isDone) {
					done.add(place);
				}
				return done;
			}));
		}
		return all;
	}

	/**
	 * Refunds a charge, and returns whether it needs no refund any more. One that this
	 * version cannot refund does not keep others from being refunded.
	 */
	private CompletionStage<Boolean> refund(DetachedPlace place, Consumer<DetachedCharge> refunded) {
		return run(this.codec.find(place), (reply) -> DetachedCodec.found(reply, place))
			.thenCompose((found) -> refund(place, found, refunded))
			.exceptionally((failure) -> {
				RateLimitStoreException known = RedisFailures.of(failure);
				if (known.getKind() != Kind.OTHER) {
					throw known;
				}
				return false;
			});
	}

	private CompletionStage<Boolean> refund(DetachedPlace place, DetachedCodec.Found found,
			Consumer<DetachedCharge> refunded) {
		DetachedCharge charge = found.charge();
		if (charge == null || found.time() < found.endMicros()) {
			return CompletableFuture.completedFuture(charge == null);
		}
		return settle(new DetachedPlace.Expiring(place, found.endMicros()), charge.correctedTo(0), true)
			.thenApply((settlement) -> {
				if (settlement == Settlement.SETTLED) {
					refunded.accept(charge);
				}
				return true;
			});
	}

	private <T> CompletableFuture<T> run(ScriptInvocation invocation, Function<byte[], T> decode) {
		try {
			return this.runner.runAsync(invocation, new DecodingHandler<>(decode));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(RedisFailures.of(ex));
		}
	}

	/** A handler that decodes the reply. */
	private record DecodingHandler<T>(Function<byte[], T> decode) implements ReplyHandler<byte[], T> {

		@Override
		public T onReply(byte[] reply) {
			return this.decode.apply(reply);
		}

		@Override
		public RuntimeException onFailure(Throwable failure) {
			return RedisFailures.of(failure);
		}

	}

}
