package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Subject;
import io.github.ratelimit.store.Delays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the limits of callers who may have their own. It looks them up on threads of
 * its own, so the source may block. If the source fails, is slow or is at its bound of
 * concurrent lookups, the last known limits of the caller apply, or else those of the
 * plan, and the lookup is retried a second later. Thread-safe.
 */
public final class OverrideCache implements AutoCloseable {

	/** The time after which a failed lookup is retried. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final Policies policies;

	private final Duration timeout;

	private final AsyncCache<Subject, Entry> entries;

	private final Cache<Subject, List<Limit>> lastKnown;

	private final OverrideLookups lookups;

	private final OverrideFailures failures;

	/**
	 * Creates a cache.
	 * @param policies the policies whose limits may be overridden
	 * @param settings the settings of the cache
	 */
	public OverrideCache(Policies policies, Settings settings) {
		this(policies, settings, System::nanoTime);
	}

	OverrideCache(Policies policies, Settings settings, LongSupplier nanoClock) {
		this.policies = policies;
		this.timeout = settings.timeout();
		Duration failed = (settings.expireAfterWrite().compareTo(PAUSE) < 0) ? settings.expireAfterWrite() : PAUSE;
		this.entries = Caffeine.newBuilder()
			.ticker(nanoClock::getAsLong)
			.maximumSize(settings.maxKeys())
			.expireAfter(Expiry
				.<Subject, Entry>writing((caller, entry) -> entry.failed() ? failed : settings.expireAfterWrite()))
			.buildAsync();
		this.lastKnown = Caffeine.newBuilder().maximumSize(settings.maxKeys()).build();
		this.lookups = new OverrideLookups(settings.maxLookups());
		this.failures = new OverrideFailures(nanoClock);
	}

	/**
	 * Returns a cached view of a source.
	 * @param source the source of the application
	 * @return the source, cached
	 */
	public LimitOverrides over(LimitOverrides source) {
		return new LimitOverrides() {

			@Override
			public List<Limit> of(String policy, String key) {
				return ofAsync(policy, key).toCompletableFuture().join();
			}

			@Override
			public CompletionStage<List<Limit>> ofAsync(String policy, String key) {
				CompletableFuture<Entry> entry = OverrideCache.this.entries.get(new Subject(policy, key),
						(caller, executor) -> load(source, caller));
				return entry.isDone() ? entry.join().limits() : entry.thenCompose(Entry::limits);
			}

		};
	}

	/**
	 * Returns the number of lookups that failed.
	 * @param failure the reason
	 * @param isKnown whether the last known limits applied, rather than those of the plan
	 * @return the number since the start
	 */
	public long failures(OverrideFailure failure, boolean isKnown) {
		return this.failures.count(failure, isKnown);
	}

	@Override
	public void close() {
		this.lookups.close();
	}

	private CompletableFuture<Entry> load(LimitOverrides source, Subject caller) {
		CompletableFuture<List<Limit>> lookup = this.lookups.start(caller, () -> read(source, caller));
		return Delays.orTimeout(lookup.copy(), this.timeout)
			.handle((limits, failure) -> (failure == null) ? Entry.of(limits, false)
					: fallBack(caller, lookup, failure));
	}

	private List<Limit> read(LimitOverrides source, Subject caller) {
		List<Limit> limits = List.copyOf(source.of(caller.policy(), caller.key()));
		requireFitting(caller, limits);
		this.lastKnown.put(caller, limits);
		return limits;
	}

	/** Throws if the limits do not fit the policy. */
	private void requireFitting(Subject caller, List<Limit> limits) {
		if (!limits.isEmpty()) {
			this.policies.get(caller.policy()).withLimits(limits);
		}
	}

	/**
	 * Returns the limits that apply after a failure. If the lookup goes on after its
	 * timeout, its result is cached when it comes.
	 */
	private Entry fallBack(Subject caller, CompletableFuture<List<Limit>> lookup, Throwable failure) {
		Throwable cause = (failure.getCause() != null) ? failure.getCause() : failure;
		OverrideFailure kind = OverrideFailure.of(cause);
		List<Limit> last = lastFitting(caller);
		this.failures.add(kind, last != null, cause);
		if (kind == OverrideFailure.TIMEOUT) {
			CompletableFuture<?> unused = lookup
				.thenAccept((late) -> this.entries.synchronous().put(caller, Entry.of(late, false)));
		}
		return Entry.of((last != null) ? last : List.of(), true);
	}

	private @Nullable List<Limit> lastFitting(Subject caller) {
		List<Limit> last = this.lastKnown.getIfPresent(caller);
		if (last == null) {
			return null;
		}
		try {
			requireFitting(caller, last);
			return last;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * The settings of a cache.
	 *
	 * @param expireAfterWrite the time until an entry expires
	 * @param maxKeys the most callers in the cache
	 * @param timeout the timeout of a lookup
	 * @param maxLookups the most lookups in flight
	 */
	public record Settings(Duration expireAfterWrite, long maxKeys, Duration timeout, int maxLookups) {

	}

	/** A cache entry, in the form that requests need. */
	private record Entry(CompletableFuture<List<Limit>> limits, boolean failed) {

		static Entry of(List<Limit> limits, boolean failed) {
			return new Entry(CompletableFuture.completedFuture(limits), failed);
		}

	}

}
