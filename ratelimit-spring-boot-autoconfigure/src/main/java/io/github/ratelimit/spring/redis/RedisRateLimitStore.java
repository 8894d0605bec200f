package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps counts in Redis, shared by every instance that uses the same one. A decision is
 * one round trip at most: a script decides on Redis' own clock, and every key it writes
 * expires half a second after its count has run out.
 *
 * <p>
 * A count's key is {@code <prefix>:1:{<policy>:<hash of the key>}:<period of the limit>}.
 * On a cluster all limits of one policy and key are in one slot. Thread-safe.
 */
public final class RedisRateLimitStore implements RateLimitStore, AutoCloseable {

	/** The name of this store. */
	public static final String NAME = "redis";

	private final GuardedScriptRunner runner;

	private final StartUp startUp;

	private final String prefix;

	private final @Nullable LongSupplier clock;

	private final Denials denials;

	private final Leases leases;

	private final ScriptDecider decider;

	private final @Nullable Coalescer coalescer;

	private final SlotBySlot slotBySlot;

	private final Rehearsal rehearsal;

	private RedisRateLimitStore(GuardedScriptRunner runner, StartUp startUp, String prefix,
			@Nullable LongSupplier clock, Shortcuts shortcuts) {
		this.runner = runner;
		this.startUp = startUp;
		this.prefix = prefix;
		this.clock = clock;
		ScriptCalls calls = new ScriptCalls(prefix, clock);
		LongSupplier nanoClock = (clock != null) ? () -> TimeUnit.MICROSECONDS.toNanos(clock.getAsLong())
				: System::nanoTime;
		this.denials = new Denials(shortcuts, nanoClock);
		this.leases = new Leases(nanoClock, this::refund);
		this.decider = new ScriptDecider(runner, calls, this.denials);
		this.coalescer = (shortcuts.coalesce() && !runner.blocks())
				? new Coalescer(runner, calls, this.denials, this.leases) : null;
		this.slotBySlot = new SlotBySlot(this.decider::executeAsync);
		this.rehearsal = new Rehearsal(runner, calls, this.decider, this.coalescer);
	}

	/**
	 * A store on the connections of an application, which stay the application's.
	 * @param connections to Redis; Lettuce's are used without blocking, any other's by
	 * blocking calls with timeouts of their own
	 * @param prefix what every key begins with, in ASCII without braces
	 * @param timeout how long to wait for a decision on Lettuce
	 * @return the store, which has not connected yet
	 */
	public static RedisRateLimitStore on(RedisConnectionFactory connections, String prefix, Duration timeout) {
		Executor afterReading = (connections instanceof OwnConnections own) ? own.channels() : Runnable::run;
		ScriptRunner runner = (connections instanceof LettuceConnectionFactory lettuce)
				? new LettuceScriptRunner(lettuce, timeout, afterReading) : new ConnectionScriptRunner(connections);
		GuardedScriptRunner guarded = new GuardedScriptRunner(runner, ServerName.of(connections), System::nanoTime);
		StartUp startUp = new StartUp(guarded, new ServerChecks(connections, prefix), afterReading);
		return new RedisRateLimitStore(guarded, startUp, prefix, null, Shortcuts.STANDARD);
	}

	/**
	 * A store on a connection of its own to where an application's lead: with their
	 * addresses, credentials and TLS, to masters alone, sending each command once at most
	 * and back within a second of Redis.
	 * @param application standalone, Sentinel, Cluster or socket connections, which this
	 * store does not use, unless they do not tell where they lead
	 * @param prefix what every key begins with, in ASCII without braces
	 * @param timeout how long to wait for a decision
	 * @param connectTimeout how long to wait for a connection, which no decision does
	 * @return the store, which has not connected yet
	 */
	public static RedisRateLimitStore beside(LettuceConnectionFactory application, String prefix, Duration timeout,
			Duration connectTimeout) {
		return on(
				OwnConnections.canBeLike(application) ? OwnConnections.like(application, connectTimeout) : application,
				prefix, timeout);
	}

	/**
	 * This store, on the same connection, with other ways to ask Redis less often.
	 * @param shortcuts the ways
	 * @return a store beside this one
	 */
	public RedisRateLimitStore with(Shortcuts shortcuts) {
		return new RedisRateLimitStore(this.runner, this.startUp, this.prefix, this.clock, shortcuts);
	}

	/**
	 * This store with a clock other than Redis' own, by which nothing is remembered.
	 */
	RedisRateLimitStore at(LongSupplier clock) {
		return new RedisRateLimitStore(this.runner, this.startUp, this.prefix, clock,
				Shortcuts.STANDARD.withoutDenials());
	}

	/**
	 * Connects in the background, so that the first decision need not wait for that, and
	 * looks there for settings of Redis that counts do not survive. Tries again until it
	 * succeeds. Does nothing where it was called before.
	 */
	public void warmUp() {
		this.startUp.begin(() -> this.decider.execute(Operation.PEEK, List.of()));
	}

	/**
	 * Rehearses calls once Redis has answered, so that the first calls find their scripts
	 * in Redis and all code at hand. Waits for that, but for no longer than Redis may
	 * keep it waiting; then, and where the first attempt to connect fails, calls are
	 * rehearsed later.
	 * @param calls makes calls on a store that charges nothing and tells what is left
	 * @param longest how long Redis may keep this waiting; time in which the machine has
	 * other things to do does not count
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	public void rehearse(Consumer<RateLimitStore> calls, Duration longest) throws InterruptedException {
		warmUp();
		this.startUp.carryOut(() -> calls.accept(this.rehearsal), longest);
	}

	/**
	 * Waits for a connection.
	 * @throws RateLimitStoreException if there is none
	 */
	public void connect() {
		this.runner.connect();
	}

	@Override
	public BreakerState breakerState() {
		return this.runner.state();
	}

	@Override
	public long unreadable() {
		return this.runner.unreadable();
	}

	/**
	 * Gives back permits that were taken in advance and are unspent, as far as Redis
	 * answers in time, and ends the connection of its own, if it has one.
	 */
	@Override
	public void close() {
		this.startUp.end();
		this.leases.close();
		this.runner.close();
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
	public Decision execute(Operation operation, List<Debit> debits) {
		Decision known = known(operation, debits);
		if (known != null) {
			return known;
		}
		try {
			if (isInSeveralSlots(debits)) {
				return this.slotBySlot.execute(operation, debits).toCompletableFuture().join();
			}
			Coalescer together = coalescer(operation, debits);
			return (together != null) ? together.acquire(debits, false).join()
					: this.decider.execute(operation, debits);
		}
		catch (RuntimeException ex) {
			throw Failures.of(ex);
		}
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		Decision known = known(operation, debits);
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		try {
			if (isInSeveralSlots(debits)) {
				return this.slotBySlot.execute(operation, debits);
			}
			Coalescer together = coalescer(operation, debits);
			return (together != null) ? together.acquire(debits, true) : this.decider.executeAsync(operation, debits);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(Failures.of(ex));
		}
	}

	/** What can be told without asking Redis. */
	private @Nullable Decision known(Operation operation, List<Debit> debits) {
		if (operation == Operation.ACQUIRE) {
			Decision spent = this.leases.spend(debits);
			return (spent != null) ? spent : this.denials.known(debits);
		}
		if (operation == Operation.RESET) {
			this.leases.forget(debits);
		}
		return null;
	}

	private CompletableFuture<?> refund(List<Debit> debits) {
		try {
			return this.decider.executeAsync(Operation.GIVE_BACK, debits);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private boolean isInSeveralSlots(List<Debit> debits) {
		return debits.size() > 1 && !SlotBySlot.shareASlot(debits) && this.runner.isClustered();
	}

	/** What decides a call together with others, if it may be. */
	private @Nullable Coalescer coalescer(Operation operation, List<Debit> debits) {
		return (operation == Operation.ACQUIRE && Coalescer.isImmediate(debits)) ? this.coalescer : null;
	}

}
