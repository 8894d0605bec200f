package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.redis.driver.BlockingScriptRunner;
import io.github.ratelimit.spring.redis.driver.CircuitBreakingScriptRunner;
import io.github.ratelimit.spring.redis.driver.ConnectedStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import io.github.ratelimit.spring.redis.driver.LettuceScriptRunner;
import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.spring.redis.driver.ScriptRunner;
import io.github.ratelimit.spring.redis.driver.ServerChecks;
import io.github.ratelimit.spring.redis.driver.ServerName;
import io.github.ratelimit.spring.redis.driver.WarmUp;
import io.github.ratelimit.spring.redis.roundtrip.ScriptRuns;
import io.github.ratelimit.spring.redis.roundtrip.SingleRunExecutor;
import io.github.ratelimit.spring.redis.script.CountKeys;
import io.github.ratelimit.spring.redis.script.DetachedCodec;
import io.github.ratelimit.spring.redis.script.ScriptCodec;
import io.github.ratelimit.spring.redis.script.ServerClock;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.DetachedReservations;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreFailure;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.Coalescer;
import io.github.ratelimit.store.shared.DenialCache;
import io.github.ratelimit.store.shared.InstanceCount;
import io.github.ratelimit.store.shared.PrefetchCache;
import io.github.ratelimit.store.shared.Shortcuts;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A store that keeps its counts in Redis, shared by all instances that use the same
 * Redis. A decision takes one round trip at most, or two where this instance does not
 * know the clock of Redis well enough for a window of the calendar. A script decides by
 * that clock, and each key that it writes expires half a second after its count has run
 * out.
 *
 * <p>
 * The key of a count is {@code <prefix>:1:<policy>:{<hash of the key>}:<period of the
 * limit>}. In a cluster, all counts of a key are in one slot, except for those of
 * policies for everyone. As a bean, it holds no connection while the application context
 * is stopped. Thread-safe.
 */
public final class RedisRateLimitStore extends ConnectedStore implements RateLimitStore, AutoCloseable {

	/** The name of this store. */
	public static final String NAME = "redis";

	private final CircuitBreakingScriptRunner runner;

	private final WarmUp warmUp;

	private final String prefix;

	private final ServerClock clock;

	private final Shortcuts shortcuts;

	private final SingleRunExecutor executor;

	private final @Nullable Coalescer<byte[]> coalescer;

	private final CrossSlotExecutor crossSlot;

	private final ScriptPreloader preloader;

	private final IdleProbe probe;

	private final InstanceCount instances;

	private final ScriptCodec codec;

	/** The detached reservations; {@code null} until the first use. */
	private @Nullable RedisDetachedReservations detached;

	private RedisRateLimitStore(CircuitBreakingScriptRunner runner, WarmUp warmUp, String prefix, ServerClock clock,
			RedisStoreOptions options) {
		this.runner = runner;
		this.warmUp = warmUp;
		this.prefix = prefix;
		this.clock = clock;
		ScriptCodec codec = new ScriptCodec(prefix, clock);
		this.codec = codec;
		LongSupplier nanoClock = clock.nanoClock();
		DenialCache denials = new DenialCache(options.denials(), options.denialAge(), nanoClock);
		this.shortcuts = new Shortcuts(denials, new PrefetchCache(nanoClock, this::tryRefund));
		ScriptRuns runs = new ScriptRuns(runner, codec);
		this.executor = new SingleRunExecutor(runner, codec, runs, denials);
		this.coalescer = (options.coalesce() && !runner.blocks()) ? new Coalescer<>(runs, this.shortcuts) : null;
		this.crossSlot = new CrossSlotExecutor(this.executor::executeAsync);
		this.preloader = new ScriptPreloader(runner, codec, this.executor, this.coalescer);
		this.probe = new IdleProbe(runner, codec);
		this.instances = new InstanceCount(this.executor::execute, nanoClock);
	}

	/**
	 * Creates a store on the connections of an application, which remain the
	 * application's.
	 * @param connections connections to Redis. Lettuce's are used without blocking, those
	 * of other drivers by blocking commands with the driver's timeouts
	 * @param prefix the start of every key, in ASCII without braces
	 * @param timeout the timeout of a decision on Lettuce
	 * @return the store, which has not connected yet
	 */
	public static RedisRateLimitStore on(RedisConnectionFactory connections, String prefix, Duration timeout) {
		Executor afterReading = (connections instanceof DedicatedConnectionFactory dedicated) ? dedicated.channels()
				: Runnable::run;
		ScriptRunner runner = (connections instanceof LettuceConnectionFactory lettuce)
				? new LettuceScriptRunner(lettuce, timeout, afterReading) : new BlockingScriptRunner(connections);
		CircuitBreakingScriptRunner breaking = new CircuitBreakingScriptRunner(runner, ServerName.of(connections),
				System::nanoTime);
		WarmUp warmUp = new WarmUp(breaking, new ServerChecks(connections, prefix), afterReading);
		return new RedisRateLimitStore(breaking, warmUp, prefix, ServerClock.like(System::currentTimeMillis),
				RedisStoreOptions.STANDARD);
	}

	/**
	 * Creates a store on a connection of its own to the Redis of an application. It uses
	 * the same addresses, credentials and TLS, and only masters. It sends each command at
	 * most once, and reconnects within a second after Redis is back.
	 * @param application standalone, Sentinel, Cluster or socket connections. The store
	 * uses these themselves only if their addresses cannot be read
	 * @param prefix the start of every key, in ASCII without braces
	 * @param timeout the timeout of a decision
	 * @param connectTimeout the timeout of connecting, which delays no decision
	 * @param clientName the name of the connection in Redis, in ASCII without spaces
	 * @return the store, which has not connected yet
	 */
	public static RedisRateLimitStore dedicated(LettuceConnectionFactory application, String prefix, Duration timeout,
			Duration connectTimeout, String clientName) {
		return on(
				DedicatedConnectionFactory.canBeLike(application)
						? DedicatedConnectionFactory.like(application, connectTimeout, clientName) : application,
				prefix, timeout);
	}

	/**
	 * Returns a store with other options on the connection of this one.
	 * @param options the options
	 * @return a store that shares the connection of this one
	 */
	public RedisRateLimitStore with(RedisStoreOptions options) {
		return new RedisRateLimitStore(this.runner, this.warmUp, this.prefix, this.clock, options);
	}

	/** Returns a store that decides by another clock and caches no denials. */
	RedisRateLimitStore at(LongSupplier micros) {
		return at(ServerClock.replacedBy(micros));
	}

	/** Returns a store with another clock, which caches no denials. */
	RedisRateLimitStore at(ServerClock clock) {
		return new RedisRateLimitStore(this.runner, this.warmUp, this.prefix, clock,
				RedisStoreOptions.STANDARD.withoutDenials());
	}

	/**
	 * Starts to connect in the background, so that the first decision need not wait, and
	 * checks the settings of Redis that can lose counts. Retries until it succeeds. From
	 * then on, probes Redis twice a second, so that the circuit breaker follows it also
	 * without decisions. Only the first invocation after a start has an effect.
	 */
	public void warmUp() {
		this.warmUp.start(() -> this.executor.execute(new StoreRequest(StoreOperation.PEEK, List.of())), this::probe);
	}

	private void probe() {
		this.probe.run();
		if (breakerState() == BreakerState.CLOSED) {
			this.instances.lookIfDue();
		}
	}

	/**
	 * Counts the instances that share Redis from the warm-up on, every ten seconds. An
	 * instance that does not is not counted by others.
	 * @param wanted whether {@link #instances} is used at the moment
	 */
	public void countInstancesWhile(BooleanSupplier wanted) {
		this.instances.countWhile(wanted);
	}

	/**
	 * Makes calls of all policies and plans that charge nothing once Redis replies, so
	 * that the first requests find their scripts in Redis and their classes loaded. Waits
	 * for these calls until Redis has delayed them for too long or the first attempt to
	 * connect has failed; they are then made later.
	 * @param policies the policies
	 * @param longest the longest time to wait for Redis. Time in which the machine does
	 * other work does not count
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public void preload(Policies policies, Duration longest) throws InterruptedException {
		warmUp();
		this.warmUp.afterFirstReply(() -> this.preloader.callEach(policies), longest);
	}

	/**
	 * Runs a task in the background once Redis replies.
	 * @param task the task
	 */
	public void afterFirstReply(Runnable task) {
		this.warmUp.afterFirstReply(task);
	}

	/**
	 * Connects, and waits until it is done.
	 * @throws RateLimitStoreException if there is no connection
	 */
	public void connect() {
		this.runner.connect();
	}

	@Override
	public int instances() {
		return this.instances.known();
	}

	@Override
	public BreakerState breakerState() {
		return this.runner.state();
	}

	@Override
	public @Nullable StoreFailure lastFailure() {
		return this.runner.lastFailure();
	}

	@Override
	public long unreadable() {
		return this.runner.unreadable();
	}

	/** Connects again after a stop, in the background. */
	@Override
	protected void allowConnections() {
		this.runner.start();
		this.shortcuts.prefetches().open();
		warmUp();
	}

	/**
	 * Refunds the prefetched permits that are unspent, if Redis replies in time, reports
	 * that this instance has gone, and closes the connection if it is the store's own.
	 * Until the start, decisions fail as in an outage.
	 */
	@Override
	protected void closeConnections() {
		this.warmUp.stop();
		this.instances.release();
		this.shortcuts.prefetches().close();
		this.runner.stop();
	}

	/** Stops for good. */
	@Override
	public void close() {
		if (isRunning()) {
			stop();
		}
		this.runner.close();
	}

	@Override
	public synchronized DetachedReservations detachedReservations() {
		if (this.detached == null) {
			this.detached = new RedisDetachedReservations(this.runner, this.codec,
					new DetachedCodec(this.prefix, this.clock, this.codec));
		}
		return this.detached;
	}

	/**
	 * Forgets prefetched permits and cached denials.
	 */
	@Override
	public void forget(Predicate<PermitRequest> counts) {
		this.shortcuts.forget(counts);
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public String description() {
		return this.runner.name();
	}

	@Override
	public Decision execute(StoreRequest request) {
		Decision cached = this.shortcuts.tryDecide(request);
		if (cached != null) {
			return cached;
		}
		try {
			Decision decision = run(request);
			return isPeek(request) ? this.shortcuts.prefetches().withUnspent(request, decision) : decision;
		}
		catch (RuntimeException ex) {
			throw RedisFailures.of(ex);
		}
	}

	private Decision run(StoreRequest request) {
		if (isAcrossSlots(request)) {
			return this.crossSlot.execute(request).toCompletableFuture().join();
		}
		return (this.coalescer != null && request.isImmediate()) ? coalesce(this.coalescer, request, true).join()
				: this.executor.execute(request);
	}

	private CompletableFuture<Decision> coalesce(Coalescer<?> coalescer, StoreRequest request, boolean isAwaited) {
		return this.executor.againAtOtherTime(request, coalescer.acquire(request, isAwaited));
	}

	@Override
	public CompletionStage<Decision> executeAsync(StoreRequest request) {
		Decision cached = this.shortcuts.tryDecide(request);
		if (cached != null) {
			return CompletableFuture.completedFuture(cached);
		}
		return this.runner.blocks()
				? CompletableFuture.supplyAsync(() -> startAsync(request)).thenCompose(Function.identity())
				: startAsync(request);
	}

	private CompletionStage<Decision> startAsync(StoreRequest request) {
		try {
			CompletionStage<Decision> decision = runAsync(request);
			return isPeek(request)
					? decision.thenApply((found) -> this.shortcuts.prefetches().withUnspent(request, found)) : decision;
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(RedisFailures.of(ex));
		}
	}

	private CompletionStage<Decision> runAsync(StoreRequest request) {
		if (isAcrossSlots(request)) {
			return this.crossSlot.execute(request);
		}
		return (this.coalescer != null && request.isImmediate()) ? coalesce(this.coalescer, request, false)
				: this.executor.executeAsync(request);
	}

	private CompletableFuture<?> tryRefund(StoreRequest refund) {
		try {
			return this.executor.executeAsync(refund);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static boolean isPeek(StoreRequest request) {
		return request.operation() == StoreOperation.PEEK && !request.permits().isEmpty();
	}

	private boolean isAcrossSlots(StoreRequest request) {
		return request.permits().size() > 1 && !CountKeys.isInOneSlot(request) && this.runner.isClustered();
	}

}
