package io.github.ratelimit.spring.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.BreakerState;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps counts in Redis, shared by every instance that uses the same one. A decision is
 * one round trip: a script decides on Redis' own clock, and every key it writes expires
 * half a second after its count has run out.
 *
 * <p>
 * A count's key is {@code <prefix>:1:{<policy>:<hash of the key>}:<position of the
 * limit>}. On a cluster all limits of one policy and key are in one slot. Thread-safe.
 */
public final class RedisRateLimitStore implements RateLimitStore, AutoCloseable {

	/** The name of this store. */
	public static final String NAME = "redis";

	/** The layout of keys and values. */
	private static final String VERSION = ":1:{";

	/** How many numbers a script takes for a limit. */
	private static final int NUMBERS = 3 + Formula.ARGUMENTS;

	private final GuardedScriptRunner runner;

	private final StartUp startUp;

	private final String prefix;

	private final @Nullable LongSupplier clock;

	private final SlotBySlot slotBySlot = new SlotBySlot(this::inOneSlot);

	private final Map<Set<String>, DecisionScript> scripts = new ConcurrentHashMap<>();

	private RedisRateLimitStore(GuardedScriptRunner runner, StartUp startUp, String prefix,
			@Nullable LongSupplier clock) {
		this.runner = runner;
		this.startUp = startUp;
		this.prefix = prefix;
		this.clock = clock;
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
		ScriptRunner runner = (connections instanceof LettuceConnectionFactory lettuce)
				? new LettuceScriptRunner(lettuce, timeout) : new ConnectionScriptRunner(connections);
		GuardedScriptRunner guarded = new GuardedScriptRunner(runner, System::nanoTime);
		StartUp startUp = new StartUp(guarded, new ServerChecks(connections, prefix));
		return new RedisRateLimitStore(guarded, startUp, prefix, null);
	}

	/**
	 * A store on a connection of its own to where an application's lead: with their
	 * addresses, credentials and TLS, to masters alone, sending each command once at most
	 * and back within a second of Redis.
	 * @param application standalone, Sentinel, Cluster or socket connections, which this
	 * store does not use
	 * @param prefix what every key begins with, in ASCII without braces
	 * @param timeout how long to wait for a decision
	 * @param connectTimeout how long to wait for a connection, which no decision does
	 * @return the store, which has not connected yet
	 */
	public static RedisRateLimitStore beside(LettuceConnectionFactory application, String prefix, Duration timeout,
			Duration connectTimeout) {
		return on(OwnConnections.like(application, timeout, connectTimeout), prefix, timeout);
	}

	/** This store with a clock other than Redis' own. */
	RedisRateLimitStore at(LongSupplier clock) {
		return new RedisRateLimitStore(this.runner, this.startUp, this.prefix, clock);
	}

	/**
	 * Connects in the background, so that the first decision need not wait for that, and
	 * looks there for settings of Redis that counts do not survive. Tries again until it
	 * succeeds.
	 */
	public void warmUp() {
		this.startUp.begin(call(Operation.PEEK, List.of()));
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

	/** Ends the connection of its own, if it has one. */
	@Override
	public void close() {
		this.startUp.end();
		this.runner.close();
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public Decision execute(Operation operation, List<Debit> debits) {
		try {
			return isInSeveralSlots(debits) ? this.slotBySlot.execute(operation, debits).toCompletableFuture().join()
					: decision(debits, this.runner.run(call(operation, debits)));
		}
		catch (RuntimeException ex) {
			throw Failures.of(ex);
		}
	}

	@Override
	public CompletionStage<Decision> executeAsync(Operation operation, List<Debit> debits) {
		try {
			return isInSeveralSlots(debits) ? this.slotBySlot.execute(operation, debits) : inOneSlot(operation, debits);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(Failures.of(ex));
		}
	}

	private boolean isInSeveralSlots(List<Debit> debits) {
		return debits.size() > 1 && !SlotBySlot.shareASlot(debits) && this.runner.isClustered();
	}

	private CompletionStage<Decision> inOneSlot(Operation operation, List<Debit> debits) {
		return this.runner.runAsync(call(operation, debits)).handle((reply, failure) -> {
			if (failure != null) {
				throw Failures.of(failure);
			}
			return decision(debits, reply);
		});
	}

	private ScriptCall call(Operation operation, List<Debit> debits) {
		List<String> keys = new ArrayList<>(debits.size());
		List<byte[]> arguments = new ArrayList<>(2 + 2 * debits.size());
		arguments.add(bytes((this.clock != null) ? Long.toString(this.clock.getAsLong()) : ""));
		arguments.add(bytes(operation.name()));
		for (Debit debit : debits) {
			Clause clause = debit.clause();
			keys.add(this.prefix + VERSION + clause.bucket() + ':' + Digests.ofKey(debit.key()) + "}:"
					+ clause.position());
			arguments.add(bytes(clause.limit().formula().rule()));
			arguments.add(numbers(debit));
		}
		return new ScriptCall(script(debits), keys, arguments);
	}

	/** As Lua's numbers are, which hold whole ones up to 2^53. */
	private byte[] numbers(Debit debit) {
		ByteBuffer numbers = ByteBuffer.allocate(NUMBERS * Double.BYTES)
			.order(ByteOrder.LITTLE_ENDIAN)
			.putDouble((double) debit.cost())
			.putDouble((double) debit.clause().reserve())
			.putDouble((double) debit.time());
		for (long number : debit.clause().limit().formula().arguments(clientTime())) {
			numbers.putDouble((double) number);
		}
		return numbers.array();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * What windows of the calendar are looked up by. Redis' clock decides which one is
	 * on.
	 */
	private long clientTime() {
		return (this.clock != null) ? this.clock.getAsLong()
				: TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
	}

	private DecisionScript script(List<Debit> debits) {
		Set<String> rules = formulas(debits).map(Formula::rule).collect(Collectors.toSet());
		return this.scripts.computeIfAbsent(rules, (missing) -> DecisionScript.of(formulas(debits).toList()));
	}

	private static Stream<Formula> formulas(List<Debit> debits) {
		return debits.stream().map((debit) -> debit.clause().limit().formula());
	}

	private static Decision decision(List<Debit> debits, List<Object> reply) {
		List<LimitDecision> limits = new ArrayList<>(debits.size());
		int at = 1;
		for (Debit debit : debits) {
			limits.add(debit.decision((Long) reply.get(at + 1), (Long) reply.get(at), (Long) reply.get(at + 2)));
			at += 3;
		}
		return Debit.decision((Long) reply.get(0), debits, limits);
	}

}
