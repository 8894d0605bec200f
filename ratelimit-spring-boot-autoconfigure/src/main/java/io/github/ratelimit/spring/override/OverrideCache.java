package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.LimitOverrides;
import io.github.ratelimit.Policies;
import io.github.ratelimit.algorithm.Limit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Remembers the limits of callers who may have their own. The source is asked on threads
 * of this cache alone, so it may block. While it fails or is slow, its callers have the
 * limits of their plan. Thread-safe.
 */
public final class OverrideCache implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(OverrideCache.class);

	private static final int THREADS = 4;

	private static final int MOST_WAITING = 1000;

	private final Policies policies;

	private final Duration timeout;

	private final AsyncCache<CallerOfPolicy, List<Limit>> cache;

	private final ThreadPoolTaskExecutor threads = new ThreadPoolTaskExecutor();

	private final AtomicBoolean failing = new AtomicBoolean();

	/**
	 * A cache.
	 * @param policies whose limits may be overridden
	 * @param expireAfterWrite how long an answer counts
	 * @param maxKeys how many callers are remembered
	 * @param timeout how long a call waits for an answer
	 */
	public OverrideCache(Policies policies, Duration expireAfterWrite, long maxKeys, Duration timeout) {
		this.policies = policies;
		this.timeout = timeout;
		this.cache = Caffeine.newBuilder().expireAfterWrite(expireAfterWrite).maximumSize(maxKeys).buildAsync();
		this.threads.setThreadNamePrefix("ratelimit-overrides-");
		this.threads.setCorePoolSize(THREADS);
		this.threads.setMaxPoolSize(THREADS);
		this.threads.setQueueCapacity(MOST_WAITING);
		this.threads.setAllowCoreThreadTimeOut(true);
		this.threads.setDaemon(true);
		this.threads.initialize();
	}

	/**
	 * A source by way of this cache.
	 * @param source what the application says
	 * @return the same, remembered
	 */
	public LimitOverrides over(LimitOverrides source) {
		return new LimitOverrides() {

			@Override
			public List<Limit> of(String policy, String key) {
				return ofAsync(policy, key).toCompletableFuture().join();
			}

			@Override
			public CompletionStage<List<Limit>> ofAsync(String policy, String key) {
				return OverrideCache.this.cache.get(new CallerOfPolicy(policy, key),
						(caller, executor) -> load(source, caller));
			}

		};
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

	private CompletableFuture<List<Limit>> load(LimitOverrides source, CallerOfPolicy caller) {
		try {
			return CompletableFuture.supplyAsync(() -> read(source, caller), this.threads)
				.orTimeout(this.timeout.toNanos(), TimeUnit.NANOSECONDS)
				.handle((limits, failure) -> (failure != null) ? failed(failure) : limits);
		}
		catch (TaskRejectedException ex) {
			return CompletableFuture.completedFuture(failed(ex));
		}
	}

	/** Throws where the limits do not fit the policy. */
	private List<Limit> read(LimitOverrides source, CallerOfPolicy caller) {
		List<Limit> limits = List.copyOf(source.of(caller.policy(), caller.key()));
		if (!limits.isEmpty()) {
			this.policies.get(caller.policy()).withLimits(limits);
		}
		this.failing.set(false);
		return limits;
	}

	/** The message of a failure may hold the key. */
	private List<Limit> failed(Throwable failure) {
		if (this.failing.compareAndSet(false, true)) {
			Throwable cause = (failure.getCause() != null) ? failure.getCause() : failure;
			logger.warn("Limits of single callers cannot be had, and those of their policies count: "
					+ cause.getClass().getName() + ". Further failures are not logged until it succeeds");
		}
		return List.of();
	}

	private record CallerOfPolicy(String policy, String key) {

	}

}
