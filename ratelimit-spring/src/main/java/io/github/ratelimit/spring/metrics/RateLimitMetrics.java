package io.github.ratelimit.spring.metrics;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RefusedCallerException;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.decision.Thresholds;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import org.jspecify.annotations.Nullable;

/**
 * A listener that records meters. Counters of outcomes and failures that alerts watch
 * start at 0: those of {@linkplain #register registered} policies, and of every kind of
 * failure of a store that can fail.
 * <ul>
 * <li>{@code ratelimit.requests}, a counter by {@code policy} and {@code outcome}: {@code
 * allowed}; {@code denied} by this policy; {@code not_charged}, as another policy of the
 * same call denied it; {@code unsatisfiable}, as the cost exceeds all that this policy
 * can ever admit; {@code invalid_cost}, as there was none; {@code shadow_denied},
 * admitted although a shadow limit of this policy had no room; {@code skipped}, as this
 * policy does not limit the caller; {@code blocked}, {@code banned} and
 * {@code missing_key}, as it refuses the caller. If the store fails: {@code failed_open},
 * let through by this policy; {@code failed_closed}, denied by this or another policy of
 * the same call; {@code fallback_allowed} and {@code fallback_denied}, decided by this
 * instance.
 * <li>{@code ratelimit.missing.keys}, a counter by {@code policy}: calls of unknown
 * callers, as none of the policy's keys resolves.
 * <li>{@code ratelimit.leases.lost}, a counter by {@code policy}: calls that go on
 * without their permit of a limit on concurrency, as its lease ended.
 * <li>{@code ratelimit.wait}, a timer by {@code policy}: the time that admitted calls
 * wait for their turns.
 * <li>{@code ratelimit.waiting}, a gauge by {@code policy}: calls of this instance that
 * wait now, on a thread or without.
 * <li>{@code ratelimit.store.latency}, a timer by {@code store} and {@code outcome}:
 * {@code ok}, {@code timeout} or {@code error}; none of a store in this process.
 * <li>{@code ratelimit.store.failures}, a counter by {@code store} and {@code kind}, with
 * the names of {@link Kind}.
 * <li>{@code ratelimit.store.unreadable}, a counter by {@code store}: values that were no
 * counts and were overwritten.
 * <li>{@code ratelimit.breaker.state}, a gauge by {@code store}: 0 for a closed circuit
 * breaker, 1 while a call probes the store, 2 for an open one.
 * <li>{@code ratelimit.memory.keys}, a gauge of the counts in the memory of this
 * instance; {@code ratelimit.memory.dropped} and {@code ratelimit.memory.shared},
 * counters of counts that were evicted although something was spent, and of calls charged
 * to a count that keys share; {@code ratelimit.memory.log.size}, a gauge of the bytes of
 * sliding window logs, and {@code ratelimit.memory.coarsened}, a counter of logs that
 * became coarser, as they had no memory to grow.
 * </ul>
 */
public final class RateLimitMetrics implements RateLimitListener {

	private final MeterProvider<Counter> requests;

	private final MeterProvider<Counter> missingKeys;

	private final MeterProvider<Counter> lostLeases;

	private final MeterProvider<Timer> waits;

	/** The counters by policy, of which those of rare outcomes are registered late. */
	private final ConcurrentMap<String, ConcurrentMap<ChargeOutcome, Counter>> counters = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	/** The waiting calls by policy, each gauge registered when a call first waits. */
	private final ConcurrentMap<String, AtomicInteger> waiting = new ConcurrentHashMap<>();

	private final boolean isInProcess;

	private final MeterProvider<Timer> latency;

	private final ConcurrentMap<String, Timer> timers = new ConcurrentHashMap<>();

	private final MeterProvider<Counter> failures;

	private final UnaryOperator<RateLimitListener> inScope;

	private final Thresholds thresholds;

	private final MeterProvider<Counter> near;

	/**
	 * Creates a listener and registers its meters.
	 * @param registry the registry
	 * @param store the store of the limiter
	 * @param memory the counts of this instance, which it uses always or while the store
	 * fails
	 */
	public RateLimitMetrics(MeterRegistry registry, RateLimitStore store, MemoryRateLimitStore memory) {
		this(registry, store, memory, UnaryOperator.identity(), Thresholds.NONE);
	}

	/**
	 * Creates a listener that records within the scope of the calling thread, so that
	 * exemplars name the trace of the call, whichever thread receives the decision.
	 * @param registry the registry
	 * @param store the store of the limiter
	 * @param memory the counts of this instance
	 * @param inScope returns a listener that restores the scope of the calling thread
	 * @param thresholds the parts of limits from which an admitted call is near them
	 */
	public RateLimitMetrics(MeterRegistry registry, RateLimitStore store, MemoryRateLimitStore memory,
			UnaryOperator<RateLimitListener> inScope, Thresholds thresholds) {
		this.registry = registry;
		this.isInProcess = store.isInProcess();
		this.inScope = inScope;
		this.thresholds = thresholds;
		this.near = counter(registry, "ratelimit.near.limit", "Calls near a limit, by the threshold that they reached");
		this.requests = counter(registry, "ratelimit.requests", "Calls charged to a policy");
		this.missingKeys = counter(registry, "ratelimit.missing.keys", "Calls for which no key of a policy resolves");
		this.lostLeases = counter(registry, "ratelimit.leases.lost",
				"Calls that go on without their permit, as its lease ended");
		this.waits = Timer.builder("ratelimit.wait")
			.description("Time that calls wait for their turns")
			.withRegistry(registry);
		this.latency = Timer.builder("ratelimit.store.latency")
			.description("Time that the store took to decide")
			.tag("store", store.name())
			.withRegistry(registry);
		this.failures = Counter.builder("ratelimit.store.failures")
			.description("Calls that the store did not decide")
			.tag("store", store.name())
			.withRegistry(registry);
		registerStore(registry, store);
		registerMemory(registry, memory);
		registerFailures();
	}

	/** Registers the counters of failures of a store that can fail. */
	private void registerFailures() {
		if (!this.isInProcess) {
			Stream.of(Kind.values()).forEach(this::failures);
		}
	}

	/**
	 * Registers the counters of policies that alerts watch, so that they are seen to
	 * increase from 0. The counters of any other policy are registered when it is first
	 * charged.
	 * @param policies the names of the policies; those that are registered stay as they
	 * are
	 */
	public void register(Collection<String> policies) {
		policies.forEach(this::counters);
	}

	private ConcurrentMap<ChargeOutcome, Counter> counters(String policy) {
		ConcurrentMap<ChargeOutcome, Counter> registered = this.counters.get(policy);
		return (registered != null) ? registered : this.counters.computeIfAbsent(policy, this::watched);
	}

	private ConcurrentMap<ChargeOutcome, Counter> watched(String policy) {
		ConcurrentMap<ChargeOutcome, Counter> watched = new ConcurrentHashMap<>();
		for (ChargeOutcome outcome : ChargeOutcome.values()) {
			if (outcome.isWatched(!this.thresholds.of(policy).isEmpty())) {
				watched.put(outcome, requests(policy, outcome));
			}
		}
		this.missingKeys.withTag("policy", policy);
		return watched;
	}

	private Counter requests(String policy, ChargeOutcome outcome) {
		return this.requests.withTags("policy", policy, "outcome", outcome.tag());
	}

	private Counter failures(Kind kind) {
		return this.failures.withTag("kind", kind.id());
	}

	private static MeterProvider<Counter> counter(MeterRegistry registry, String name, String description) {
		return Counter.builder(name).description(description).withRegistry(registry);
	}

	private static void registerStore(MeterRegistry registry, RateLimitStore store) {
		Gauge.builder("ratelimit.breaker.state", store, (guarded) -> number(guarded.breakerState()))
			.description("Whether the store is asked: 0 yes, 1 one call is trying, 2 no")
			.tag("store", store.name())
			.register(registry);
		FunctionCounter.builder("ratelimit.store.unreadable", store, RateLimitStore::unreadable)
			.description("Values that were no counts and were overwritten")
			.tag("store", store.name())
			.register(registry);
	}

	@Override
	public RateLimitListener forCall(List<Charge> charges) {
		return this.inScope.apply(this);
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		for (Charge charge : charges) {
			count(charge, outcome(charge, decision));
		}
		recordWaits(charges, decision);
		if (!this.isInProcess) {
			time("ok", elapsedNanos);
		}
	}

	private ChargeOutcome outcome(Charge charge, Decision decision) {
		ChargeOutcome outcome = ChargeOutcome.of(charge, decision);
		int reached = (outcome == ChargeOutcome.ALLOWED && !this.thresholds.isEmpty())
				? this.thresholds.reached(charge.policy(), charge.key(), decision.limits()) : 0;
		if (reached == 0) {
			return outcome;
		}
		this.near.withTags("policy", charge.policy(), "threshold", reached + "%").increment();
		return ChargeOutcome.NEAR_LIMIT;
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		charges.forEach((charge) -> count(charge, ChargeOutcome.withoutStore(charge, instead)));
		if (instead != null) {
			recordWaits(charges, instead);
		}
		failures(failure.getKind()).increment();
		time((failure.getKind() == Kind.TIMEOUT) ? "timeout" : "error", elapsedNanos);
	}

	@Override
	public void unsatisfiable(List<Charge> charges, UnsatisfiableCostException mistake) {
		for (Charge charge : charges) {
			count(charge, ChargeOutcome.of(charge, mistake));
		}
	}

	@Override
	public void invalidCost(InvalidCostException mistake) {
		count(mistake.getPolicy(), ChargeOutcome.INVALID_COST);
	}

	@Override
	public void skipped(List<Charge> charges) {
		charges.forEach((charge) -> count(charge, ChargeOutcome.SKIPPED));
	}

	@Override
	public void refused(RefusedCallerException refusal) {
		count(refusal.getPolicy(), ChargeOutcome.of(refusal));
	}

	@Override
	public void missingKey(String policy) {
		this.missingKeys.withTag("policy", policy).increment();
	}

	@Override
	public void leaseLost(String policy) {
		this.lostLeases.withTag("policy", policy).increment();
	}

	@Override
	public void waiting(List<String> policies) {
		policies.forEach((policy) -> this.waiting.computeIfAbsent(policy, this::gauge).incrementAndGet());
	}

	@Override
	public void waited(List<String> policies) {
		policies.forEach((policy) -> this.waiting.computeIfAbsent(policy, this::gauge).decrementAndGet());
	}

	private AtomicInteger gauge(String policy) {
		AtomicInteger waiting = new AtomicInteger();
		Gauge.builder("ratelimit.waiting", waiting, AtomicInteger::get)
			.description("Calls that wait for their turns")
			.tag("policy", policy)
			.register(this.registry);
		return waiting;
	}

	private static void registerMemory(MeterRegistry registry, MemoryRateLimitStore memory) {
		Gauge.builder("ratelimit.memory.keys", memory, MemoryRateLimitStore::size)
			.description("Counts in the memory of this instance")
			.register(registry);
		FunctionCounter.builder("ratelimit.memory.dropped", memory, MemoryRateLimitStore::dropped)
			.description("Counts that made room for others although something was spent")
			.register(registry);
		Gauge.builder("ratelimit.memory.log.size", memory, MemoryRateLimitStore::logBytes)
			.description("Memory that sliding window logs take up")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
		FunctionCounter.builder("ratelimit.memory.coarsened", memory, MemoryRateLimitStore::coarsened)
			.description("Sliding window logs that became coarser for want of memory")
			.register(registry);
		FunctionCounter.builder("ratelimit.memory.shared", memory, MemoryRateLimitStore::shared)
			.description("Calls charged to a count that keys share")
			.register(registry);
	}

	private void count(Charge charge, ChargeOutcome outcome) {
		count(charge.policy(), outcome);
	}

	private void count(String policy, ChargeOutcome outcome) {
		ConcurrentMap<ChargeOutcome, Counter> ofPolicy = counters(policy);
		Counter registered = ofPolicy.get(outcome);
		((registered != null) ? registered : ofPolicy.computeIfAbsent(outcome, (unknown) -> requests(policy, unknown)))
			.increment();
	}

	private void recordWaits(List<Charge> charges, Decision decision) {
		if (!decision.allowed() || decision.waitMicros() == 0) {
			return;
		}
		for (Charge charge : charges) {
			long micros = 0;
			for (LimitDecision limit : decision.limits()) {
				micros = limit.isOf(charge.policy(), charge.key()) ? Math.max(micros, limit.waitMicros()) : micros;
			}
			if (micros > 0) {
				this.waits.withTag("policy", charge.policy()).record(micros, TimeUnit.MICROSECONDS);
			}
		}
	}

	private void time(String outcome, long elapsedNanos) {
		Timer registered = this.timers.get(outcome);
		((registered != null) ? registered
				: this.timers.computeIfAbsent(outcome, (unknown) -> this.latency.withTag("outcome", outcome)))
			.record(elapsedNanos, TimeUnit.NANOSECONDS);
	}

	private static int number(BreakerState state) {
		return switch (state) {
			case CLOSED -> 0;
			case HALF_OPEN -> 1;
			case OPEN -> 2;
		};
	}

}
