package io.github.ratelimit.spring.override;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.Subject;

import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * A bulkhead for lookups in the source of an application: few in flight, each on a thread
 * of its own pool, one at a time for a caller. Thread-safe.
 */
final class OverrideLookups {

	/** The number of lookups that may be queued for each one in flight. */
	static final int QUEUED_PER_LOOKUP = 8;

	private final ConcurrentMap<Subject, CompletableFuture<List<Limit>>> lookups = new ConcurrentHashMap<>();

	private final ThreadPoolTaskExecutor threads = new ThreadPoolTaskExecutor();

	OverrideLookups(int maxLookups) {
		this.threads.setThreadNamePrefix("ratelimit-overrides-");
		this.threads.setCorePoolSize(maxLookups);
		this.threads.setMaxPoolSize(maxLookups);
		this.threads.setQueueCapacity(QUEUED_PER_LOOKUP * maxLookups);
		this.threads.setAllowCoreThreadTimeOut(true);
		this.threads.setDaemon(true);
		this.threads.initialize();
	}

	/**
	 * Starts a lookup, unless one for the caller is in flight.
	 * @return its result, or a {@link TaskRejectedException} if the queue is full
	 */
	CompletableFuture<List<Limit>> start(Subject caller, Supplier<List<Limit>> lookup) {
		CompletableFuture<List<Limit>> started = new CompletableFuture<>();
		CompletableFuture<List<Limit>> other = this.lookups.putIfAbsent(caller, started);
		if (other != null) {
			return other;
		}
		CompletableFuture<?> unused = started.whenComplete((limits, failure) -> this.lookups.remove(caller, started));
		try {
			return started.completeAsync(lookup, this.threads);
		}
		catch (TaskRejectedException ex) {
			started.completeExceptionally(ex);
			return started;
		}
	}

	void close() {
		this.threads.shutdown();
	}

}
