package io.github.ratelimit.spring.override;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.github.ratelimit.LimitOverrides;
import io.github.ratelimit.Policies;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.store.Delays;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.TaskRejectedException;

/**
 * A cache of the limits of callers who may have their own. It asks the source on threads
 * of its own, so the source may block. Where the source fails, is slow or is asked for
 * too many callers at once, the last known limits of the caller count, or else those of
 * the plan, and the source is asked again a second later. Thread-safe.
 */
public final class OverrideCache implements AutoCloseable {

	/** The source is asked again after that time, although it failed. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final Policies policies;

	private final Duration timeout;

	private final AsyncCache<CallerOfPolicy, Answer> answers;

	private final Cache<CallerOfPolicy, List<Limit>> known;

	private final OverrideLookups lookups;

	private final OverrideFailures failures;

	/**
	 * Creates a cache.
	 * @param policies whose limits may be overridden
	 * @param settings of the cache
	 */
	public OverrideCache(Policies policies, Settings settings) {
		this(policies, settings, System::nanoTime);
	}

	OverrideCache(Policies policies, Settings settings, LongSupplier nanoClock) {
		this.policies = policies;
		this.timeout = settings.timeout();
		Duration failed = (settings.expireAfterWrite().compareTo(PAUSE) < 0) ? settings.expireAfterWrite() : PAUSE;
		this.answers = Caffeine.newBuilder()
			.ticker(nanoClock::getAsLong)
			.maximumSize(settings.maxKeys())
			.expireAfter(Expiry.<CallerOfPolicy, Answer>writing(
					(caller, answer) -> answer.failed() ? failed : settings.expireAfterWrite()))
			.buildAsync();
		this.known = Caffeine.newBuilder().maximumSize(settings.maxKeys()).build();
		this.lookups = new OverrideLookups(settings.maxLookups());
		this.failures = new OverrideFailures(nanoClock);
	}

	/**
	 * Puts this cache before a source.
	 * @param source the application's
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
				CompletableFuture<Answer> answer = OverrideCache.this.answers.get(new CallerOfPolicy(policy, key),
						(caller, executor) -> load(source, caller));
				return answer.isDone() ? answer.join().limits() : answer.thenCompose(Answer::limits);
			}

		};
	}

	/**
	 * Returns how many lookups failed.
	 * @param failure why
	 * @param isKnown whether the last known limits counted, rather than those of the plan
	 * @return how many since the start
	 */
	public long failures(Failure failure, boolean isKnown) {
		return this.failures.count(failure, isKnown);
	}

	@Override
	public void close() {
		this.lookups.close();
	}

	private CompletableFuture<Answer> load(LimitOverrides source, CallerOfPolicy caller) {
		CompletableFuture<List<Limit>> lookup = this.lookups.start(caller, () -> read(source, caller));
		return Delays.orTimeout(lookup.copy(), this.timeout)
			.handle((limits, failure) -> (failure == null) ? Answer.of(limits, false)
					: instead(caller, lookup, failure));
	}

	private List<Limit> read(LimitOverrides source, CallerOfPolicy caller) {
		List<Limit> limits = List.copyOf(source.of(caller.policy(), caller.key()));
		requireFitting(caller, limits);
		this.known.put(caller, limits);
		return limits;
	}

	/** Throws where the limits do not fit the policy. */
	private void requireFitting(CallerOfPolicy caller, List<Limit> limits) {
		if (!limits.isEmpty()) {
			this.policies.get(caller.policy()).withLimits(limits);
		}
	}

	/** A lookup that still goes on has its answer kept when it comes. */
	private Answer instead(CallerOfPolicy caller, CompletableFuture<List<Limit>> lookup, Throwable failure) {
		Throwable cause = (failure.getCause() != null) ? failure.getCause() : failure;
		Failure kind = Failure.of(cause);
		List<Limit> last = lastKnown(caller);
		this.failures.add(kind, last != null, cause);
		if (kind == Failure.TIMEOUT) {
			CompletableFuture<?> unused = lookup
				.thenAccept((late) -> this.answers.synchronous().put(caller, Answer.of(late, false)));
		}
		return Answer.of((last != null) ? last : List.of(), true);
	}

	private @Nullable List<Limit> lastKnown(CallerOfPolicy caller) {
		List<Limit> last = this.known.getIfPresent(caller);
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
	 * The reasons why a lookup fails.
	 */
	public enum Failure {

		/** The source threw an exception, or its limits do not fit the policy. */
		ERROR,

		/** The source did not answer in time. */
		TIMEOUT,

		/** Too many lookups were under way, and the source was not asked. */
		FULL;

		private static Failure of(Throwable cause) {
			if (cause instanceof TimeoutException) {
				return TIMEOUT;
			}
			return (cause instanceof TaskRejectedException) ? FULL : ERROR;
		}

	}

	/**
	 * The settings of a cache.
	 *
	 * @param expireAfterWrite how long an answer counts
	 * @param maxKeys how many callers are remembered
	 * @param timeout how long a call waits for an answer
	 * @param maxLookups how often the source is asked at the same time
	 */
	public record Settings(Duration expireAfterWrite, long maxKeys, Duration timeout, int maxLookups) {

	}

	/** What is remembered of a caller, as calls need it. */
	private record Answer(CompletableFuture<List<Limit>> limits, boolean failed) {

		static Answer of(List<Limit> limits, boolean failed) {
			return new Answer(CompletableFuture.completedFuture(limits), failed);
		}

	}

}
