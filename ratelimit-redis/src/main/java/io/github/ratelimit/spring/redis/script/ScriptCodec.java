package io.github.ratelimit.spring.redis.script;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.jspecify.annotations.Nullable;

/**
 * A codec of requests and replies of the script. All numbers are exact in Lua, which has
 * whole numbers up to 2^53.
 */
public final class ScriptCodec {

	private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(double[].class,
			ByteOrder.LITTLE_ENDIAN);

	/** The count of numbers in front of those of the limits in a request. */
	public static final int HEADER_NUMBERS = 3;

	/** The count of numbers in front of those of the limits in a reply. */
	public static final int REPLY_HEADER_NUMBERS = 2;

	/** The count of numbers for each limit in a request. */
	private static final int LIMIT_NUMBERS = 4 + Formula.ARGUMENTS;

	/** The count of numbers for each limit in a reply. */
	private static final int REPLY_LIMIT_NUMBERS = 3;

	/** The time in a request that is decided by the clock of the server. */
	static final long TIME_OF_SERVER = -1;

	private final Map<StoreOperation, byte[]> operations = new EnumMap<>(StoreOperation.class);

	private final DecisionScript.Cache scripts = new DecisionScript.Cache();

	private final CountKeys keys;

	private final ServerClock clock;

	/**
	 * Creates a codec.
	 * @param prefix the start of every key
	 * @param clock the clock of the server
	 */
	public ScriptCodec(String prefix, ServerClock clock) {
		this.keys = new CountKeys(prefix);
		this.clock = clock;
		for (StoreOperation operation : StoreOperation.values()) {
			this.operations.put(operation, operation.name().getBytes(StandardCharsets.US_ASCII));
		}
	}

	/** Returns every script that such requests may need, alone or in a batch. */
	public List<DecisionScript> scripts(StoreRequest request) {
		DecisionScript single = this.scripts.get(request.permits(), 1);
		return Stream.of(single, single.oneByOne(), this.scripts.get(request.permits(), 2))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/** Returns the invocation that executes a request. */
	public ScriptInvocation encode(StoreRequest request) {
		return invocation(request, 1, 1, 0);
	}

	/**
	 * Returns the invocation that executes equal requests, which are immediate.
	 * @param requests the number of requests
	 * @param prefetched the number of further requests to charge if they fit
	 * @param waited the time that the first request was queued, in nanoseconds
	 */
	public ScriptInvocation encode(StoreRequest request, int requests, long prefetched, long waited) {
		return invocation(request, requests + prefetched, requests, waited);
	}

	private ScriptInvocation invocation(StoreRequest request, long times, int requests, long waited) {
		List<PermitRequest> permits = request.permits();
		DecisionScript script = this.scripts.get(permits, times);
		byte[][] keys = new byte[permits.size()][];
		byte[] numbers = new byte[(HEADER_NUMBERS + LIMIT_NUMBERS * permits.size()) * Double.BYTES];
		long now = this.clock.micros();
		write(numbers, 0, this.clock.isReplaced() ? now : TIME_OF_SERVER);
		write(numbers, 1, times);
		write(numbers, 2, (times > 1) ? mostAtOnce(permits) : 1);
		for (int i = 0; i < keys.length; i++) {
			PermitRequest permit = permits.get(i);
			keys[i] = this.keys.key(permit);
			int at = HEADER_NUMBERS + LIMIT_NUMBERS * i;
			write(numbers, at, permit, script, now);
			writeTerms(numbers, at + 2, request.operation(), permit);
		}
		byte[] operation = this.operations.get(request.operation());
		byte[] span = span(permits, now);
		byte[][] arguments = (span != null) ? new byte[][] { operation, numbers, span }
				: new byte[][] { operation, numbers };
		return new ScriptInvocation(script, keys, arguments, requests, waited);
	}

	/**
	 * Returns the span of time in which the numbers of all limits are right, unless they
	 * always are.
	 */
	private static byte @Nullable [] span(List<PermitRequest> permits, long now) {
		byte[] all = null;
		for (int i = 0; i < permits.size(); i++) {
			Formula formula = permits.get(i).limit().formula();
			if (formula.isOfCalendar()) {
				long[] span = formula.spanOfArguments(now);
				all = common(all, span(span[0], span[1]));
			}
		}
		return all;
	}

	/** Returns whether a request can be decided only at some time. */
	public static boolean isOfCalendar(StoreRequest request) {
		List<PermitRequest> permits = request.permits();
		for (int i = 0; i < permits.size(); i++) {
			if (permits.get(i).limit().formula().isOfCalendar()) {
				return true;
			}
		}
		return false;
	}

	/** Returns a span of time as the script reads it. */
	static byte[] span(long from, long before) {
		byte[] span = new byte[2 * Double.BYTES];
		write(span, 0, from);
		write(span, 1, before);
		return span;
	}

	/** Returns what two spans of time have in common. */
	static byte @Nullable [] common(byte @Nullable [] first, byte @Nullable [] second) {
		if (first == null || second == null) {
			return (first != null) ? first : second;
		}
		return span(Math.max(read(first, 0), read(second, 0)), Math.min(read(first, 1), read(second, 1)));
	}

	/** Sets the clock by which windows of the calendar are looked up from now on. */
	public void setClock(OtherTimeException server) {
		this.clock.set(server.serverTimeMicros());
	}

	/**
	 * Writes of a refund or renewal the turn and the time of the charge; else the reserve
	 * and the longest wait, for a limit in shadow as -1 less the wait.
	 */
	private static void writeTerms(byte[] numbers, int at, StoreOperation operation, PermitRequest permit) {
		if (operation == StoreOperation.REFUND || operation == StoreOperation.RENEW) {
			write(numbers, at, permit.turnMicros());
			write(numbers, at + 1, permit.chargedAtMicros());
		}
		else {
			write(numbers, at, permit.policyLimit().reserve());
			write(numbers, at + 1, permit.shadow() ? -1 - permit.maxWaitMicros() : permit.maxWaitMicros());
		}
	}

	/**
	 * Returns the decision on a request. For several equal ones, that on the last one
	 * admitted, or a denial.
	 * @throws OtherTimeException if the server could not decide at its time
	 */
	public static Decision decode(StoreRequest request, byte[] reply) {
		requireDecided(reply);
		return decode(request, reply, REPLY_HEADER_NUMBERS, 0);
	}

	/**
	 * Returns the decisions on equal requests, in their order. All of them have the reset
	 * time of the last one admitted.
	 * @throws OtherTimeException if the server could not decide at its time
	 */
	public static List<Decision> decode(StoreRequest request, int requests, byte[] reply) {
		requireDecided(reply);
		long admitted = admitted(reply);
		List<Decision> decisions = new ArrayList<>(requests);
		for (long later = admitted - 1; later >= 0 && decisions.size() < requests; later--) {
			decisions.add(decode(request, reply, REPLY_HEADER_NUMBERS, later));
		}
		if (admitted < requests) {
			int denied = REPLY_HEADER_NUMBERS + ((admitted > 0) ? REPLY_LIMIT_NUMBERS * request.permits().size() : 0);
			Decision denial = decode(request, reply, denied, 0);
			while (decisions.size() < requests) {
				decisions.add(denial);
			}
		}
		return decisions;
	}

	/** Returns the number of equal requests that were admitted. */
	public static long admitted(byte[] reply) {
		return read(reply, 1);
	}

	private static void requireDecided(byte[] reply) {
		if (!isDecided(reply)) {
			throw new OtherTimeException(read(reply, 0));
		}
	}

	/** Returns whether the server could decide at its time. */
	static boolean isDecided(byte[] reply) {
		return read(reply, 1) >= 0;
	}

	private static Decision decode(StoreRequest request, byte[] reply, int first, long later) {
		long time = read(reply, 0);
		List<PermitRequest> permits = request.permits();
		if (permits.size() == 1) {
			PermitRequest permit = permits.get(0);
			return Decision.of(time, permit, read(reply, first + 1), read(reply, first) + later * permit.cost(),
					reset(reply, first));
		}
		List<LimitDecision> limits = new ArrayList<>(permits.size());
		for (int i = 0; i < permits.size(); i++) {
			PermitRequest permit = permits.get(i);
			int at = first + REPLY_LIMIT_NUMBERS * i;
			limits.add(permit.decide(read(reply, at + 1), read(reply, at) + later * permit.cost(), reset(reply, at)));
		}
		return request.decide(time, limits);
	}

	/**
	 * Returns the time until nothing is spent, for the limit whose numbers start there.
	 */
	private static long reset(byte[] reply, int at) {
		long reset = read(reply, at + 2);
		return (reset < 0) ? -1 - reset : reset;
	}

	/**
	 * Returns whether the value of a key was no count and was overwritten, by the numbers
	 * of the first decision in the reply. A request that failed does not show it.
	 */
	public static boolean isUnreadable(byte[] reply, int key) {
		int at = REPLY_HEADER_NUMBERS + REPLY_LIMIT_NUMBERS * key;
		return reply.length >= (at + REPLY_LIMIT_NUMBERS) * Double.BYTES && read(reply, at) >= 0
				&& read(reply, at + 2) < 0;
	}

	/** Returns the number of requests that fit when nothing is spent. */
	private static long mostAtOnce(List<PermitRequest> permits) {
		long most = Long.MAX_VALUE;
		for (PermitRequest permit : permits) {
			most = Math.min(most, permit.policyLimit().highestCost() / permit.cost());
		}
		return most;
	}

	private static void write(byte[] numbers, int at, PermitRequest permit, DecisionScript script, long now) {
		Formula formula = permit.limit().formula();
		write(numbers, at, script.number(formula.rule().name()));
		write(numbers, at + 1, permit.cost());
		long[] arguments = formula.arguments(now);
		for (int i = 0; i < Formula.ARGUMENTS; i++) {
			write(numbers, at + 4 + i, arguments[i]);
		}
	}

	/** Writes a number of a request. */
	static void write(byte[] numbers, int at, long number) {
		NUMBER.set(numbers, at * Double.BYTES, (double) number);
	}

	/** Returns a number of a request or reply. */
	public static long read(byte[] numbers, int at) {
		return (long) (double) NUMBER.get(numbers, at * Double.BYTES);
	}

}
