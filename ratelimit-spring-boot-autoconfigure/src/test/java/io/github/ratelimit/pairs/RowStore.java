package io.github.ratelimit.pairs;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.pairs.Row.Store;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A store that fails while a test wants it to.
 */
final class RowStore implements RateLimitStore, AutoCloseable {

	private final RateLimitStore counts;

	private final AtomicReference<@Nullable Runnable> afterDenial = new AtomicReference<>();

	private volatile boolean failing;

	private RowStore(RateLimitStore counts) {
		this.counts = counts;
	}

	/** Returns an empty store. */
	static RowStore of(Row row, LettuceConnectionFactory connections) {
		return new RowStore((row.store() == Store.MEMORY) ? new MemoryRateLimitStore(1000)
				: RedisRateLimitStore.on(connections, "pairs" + System.nanoTime(), Duration.ofSeconds(5)));
	}

	@Override
	public void close() {
		if (this.counts instanceof RedisRateLimitStore redis) {
			redis.close();
		}
	}

	@Override
	public void forget(Predicate<PermitRequest> forgotten) {
		this.counts.forget(forgotten);
	}

	/** Begins or ends the failure. */
	void fail(boolean failing) {
		this.failing = failing;
	}

	/** Runs an action, in another thread, once a call has been denied. */
	void afterDenial(Runnable action) {
		this.afterDenial.set(action);
	}

	@Override
	public String name() {
		return this.counts.name();
	}

	@Override
	public Decision execute(StoreRequest request) {
		if (this.failing) {
			throw new RateLimitStoreException("fails in this row", null);
		}
		return noted(this.counts.execute(request));
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		return this.failing ? CompletableFuture.failedFuture(new RateLimitStoreException("fails in this row", null))
				: this.counts.executeAsync(request).thenApply(this::noted);
	}

	private Decision noted(Decision decision) {
		Runnable action = decision.allowed() ? null : this.afterDenial.getAndSet(null);
		if (action != null) {
			CompletableFuture<?> unused = CompletableFuture.runAsync(action);
		}
		return decision;
	}

}
