package io.github.ratelimit.spring.override;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import io.github.ratelimit.algorithm.Limit;

import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * A bulkhead for lookups in an application's source of limits: few at once, each on a
 * thread of this bulkhead, and one at a time for a caller. Thread-safe.
 */
final class OverrideLookups {

	/** For each lookup that may run, how many may wait. */
	static final int WAITING_PER_LOOKUP = 8;

	private final ConcurrentMap<CallerOfPolicy, CompletableFuture<List<Limit>>> lookups = new ConcurrentHashMap<>();

	private final ThreadPoolTaskExecutor threads = new ThreadPoolTaskExecutor();

	OverrideLookups(int most) {
		this.threads.setThreadNamePrefix("ratelimit-overrides-");
		this.threads.setCorePoolSize(most);
		this.threads.setMaxPoolSize(most);
		this.threads.setQueueCapacity(WAITING_PER_LOOKUP * most);
		this.threads.setAllowCoreThreadTimeOut(true);
		this.threads.setDaemon(true);
		this.threads.initialize();
	}

	/**
	 * Starts a lookup, unless there is one for the caller.
	 * @return its end, a {@link TaskRejectedException} where too many wait
	 */
	CompletableFuture<List<Limit>> start(CallerOfPolicy caller, Supplier<List<Limit>> lookup) {
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
