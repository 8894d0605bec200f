package io.github.ratelimit.spring.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Formula;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Debit;
import io.github.ratelimit.store.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Puts operations into words that the script reads, and its answers into decisions. All
 * numbers are as Lua's are, which hold whole ones up to 2^53.
 */
final class ScriptCalls {

	/** The layout of keys and values. */
	private static final String VERSION = ":1:{";

	private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(double[].class,
			ByteOrder.LITTLE_ENDIAN);

	/** How many numbers come before those of the limits, in a call and in an answer. */
	static final int CALL_NUMBERS = 3;

	static final int ANSWER_NUMBERS = 2;

	/** How many numbers there are for a limit, in a call and in an answer. */
	private static final int ASKED_NUMBERS = 4 + Formula.ARGUMENTS;

	private static final int TOLD_NUMBERS = 3;

	private static final long TIME_OF_SERVER = -1;

	private final Map<Operation, byte[]> operations = new EnumMap<>(Operation.class);

	private final DecisionScripts scripts = new DecisionScripts();

	private final KeyHash hash = new KeyHash();

	private final byte[] prefix;

	private final @Nullable LongSupplier clock;

	/**
	 * Calls of one store.
	 * @param prefix what every key begins with
	 * @param clock the time to decide by; {@code null} for the server's
	 */
	ScriptCalls(String prefix, @Nullable LongSupplier clock) {
		this.prefix = (prefix + VERSION).getBytes(StandardCharsets.US_ASCII);
		this.clock = clock;
		for (Operation operation : Operation.values()) {
			this.operations.put(operation, operation.name().getBytes(StandardCharsets.US_ASCII));
		}
	}

	/** Every script that calls like this one may need, alone or together with others. */
	List<DecisionScript> scripts(List<Debit> debits) {
		DecisionScript alone = this.scripts.of(debits, 1);
		return Stream.of(alone, alone.oneByOne(), this.scripts.of(debits, 2))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	/** What to send for one call. */
	ScriptCall of(Operation operation, List<Debit> debits) {
		return call(operation, debits, 1, 1, 0);
	}

	/**
	 * What to send for calls that acquire the same and do not wait.
	 * @param debits what each of them asks
	 * @param calls how many there are
	 * @param inAdvance how many that are yet to come are to be charged too, where they
	 * fit
	 * @param waited how long the first of them has waited, in nanoseconds
	 */
	ScriptCall of(List<Debit> debits, int calls, long inAdvance, long waited) {
		return call(Operation.ACQUIRE, debits, calls, calls + inAdvance, waited);
	}

	private ScriptCall call(Operation operation, List<Debit> debits, int calls, long times, long waited) {
		DecisionScript script = this.scripts.of(debits, times);
		byte[][] keys = new byte[debits.size()][];
		byte[] numbers = new byte[(CALL_NUMBERS + ASKED_NUMBERS * debits.size()) * Double.BYTES];
		write(numbers, 0, (this.clock != null) ? this.clock.getAsLong() : TIME_OF_SERVER);
		write(numbers, 1, times);
		write(numbers, 2, (times > 1) ? mostAtOnce(debits) : 1);
		for (int i = 0; i < keys.length; i++) {
			Debit debit = debits.get(i);
			keys[i] = key(debit);
			write(numbers, CALL_NUMBERS + ASKED_NUMBERS * i, debit, script);
		}
		return new ScriptCall(script, keys, new byte[][] { this.operations.get(operation), numbers }, calls, waited);
	}

	/** The decision of a call, or of the last of several that is admitted, if any is. */
	static Decision decision(List<Debit> debits, byte[] answer) {
		return decision(debits, answer, ANSWER_NUMBERS, 0);
	}

	/**
	 * The decisions of the first of several calls, in their order. What they say of the
	 * time until nothing is spent is that of the last one that is admitted.
	 */
	static List<Decision> decisions(List<Debit> debits, int calls, byte[] answer) {
		long admitted = admitted(answer);
		List<Decision> decisions = new ArrayList<>(calls);
		for (long later = admitted - 1; later >= 0 && decisions.size() < calls; later--) {
			decisions.add(decision(debits, answer, ANSWER_NUMBERS, later));
		}
		if (admitted < calls) {
			int denied = ANSWER_NUMBERS + ((admitted > 0) ? TOLD_NUMBERS * debits.size() : 0);
			Decision denial = decision(debits, answer, denied, 0);
			while (decisions.size() < calls) {
				decisions.add(denial);
			}
		}
		return decisions;
	}

	/** Of several calls, how many are admitted. */
	static long admitted(byte[] answer) {
		return read(answer, 1);
	}

	private static Decision decision(List<Debit> debits, byte[] answer, int first, long later) {
		long time = read(answer, 0);
		if (debits.size() == 1) {
			Debit only = debits.get(0);
			return only.decisionAlone(time, read(answer, first + 1), read(answer, first) + later * only.cost(),
					reset(answer, first));
		}
		List<LimitDecision> limits = new ArrayList<>(debits.size());
		for (int i = 0; i < debits.size(); i++) {
			Debit debit = debits.get(i);
			int at = first + TOLD_NUMBERS * i;
			limits
				.add(debit.decision(read(answer, at + 1), read(answer, at) + later * debit.cost(), reset(answer, at)));
		}
		return Debit.decision(time, debits, limits);
	}

	/** Until nothing is spent, as the limit says whose numbers begin there. */
	private static long reset(byte[] answer, int at) {
		long told = read(answer, at + 2);
		return (told < 0) ? -1 - told : told;
	}

	/**
	 * Whether the count of a key, as the first that an answer tells of, was no count and
	 * was overwritten. A call that failed tells nothing of that.
	 */
	static boolean isUnreadable(byte[] answer, int key) {
		int at = ANSWER_NUMBERS + TOLD_NUMBERS * key;
		return answer.length >= (at + TOLD_NUMBERS) * Double.BYTES && read(answer, at) >= 0 && read(answer, at + 2) < 0;
	}

	/** The name under which the count of a key is kept. */
	static String policy(byte[] key) {
		String text = new String(key, StandardCharsets.US_ASCII);
		int end = text.lastIndexOf('}') - KeyHash.LENGTH - 1;
		return text.substring(text.indexOf('{') + 1, end);
	}

	/** How many calls fit when nothing is spent. */
	private static long mostAtOnce(List<Debit> debits) {
		long most = Long.MAX_VALUE;
		for (Debit debit : debits) {
			most = Math.min(most, debit.clause().most() / debit.cost());
		}
		return most;
	}

	/** The position is left out of the first limit of a period. */
	private byte[] key(Debit debit) {
		String bucket = debit.clause().bucket();
		String period = debit.clause().limit().period();
		int position = debit.clause().position();
		int end = (position > 0) ? 1 + digits(position) : 0;
		byte[] key = new byte[this.prefix.length + bucket.length() + KeyHash.LENGTH + period.length() + end + 3];
		System.arraycopy(this.prefix, 0, key, 0, this.prefix.length);
		int at = append(bucket, key, this.prefix.length);
		key[at] = ':';
		this.hash.write(debit.key(), key, at + 1);
		at += 1 + KeyHash.LENGTH;
		key[at] = '}';
		key[at + 1] = ':';
		at = append(period, key, at + 2);
		if (position > 0) {
			key[at] = ':';
			appendBackwards(position, key);
		}
		return key;
	}

	private static int digits(int number) {
		int digits = 1;
		for (int rest = number / 10; rest > 0; rest /= 10) {
			digits++;
		}
		return digits;
	}

	/** A number as the end of the target. */
	private static void appendBackwards(int number, byte[] target) {
		int at = target.length;
		int rest = number;
		do {
			target[--at] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		while (rest > 0);
	}

	/** Names are of ASCII alone. */
	private static int append(String text, byte[] target, int at) {
		for (int i = 0; i < text.length(); i++) {
			target[at + i] = (byte) text.charAt(i);
		}
		return at + text.length();
	}

	private void write(byte[] numbers, int at, Debit debit, DecisionScript script) {
		Formula formula = debit.clause().limit().formula();
		write(numbers, at, script.number(formula.rule()));
		write(numbers, at + 1, debit.cost());
		write(numbers, at + 2, debit.clause().reserve());
		write(numbers, at + 3, debit.time());
		long[] arguments = formula.arguments(clientTime());
		for (int i = 0; i < Formula.ARGUMENTS; i++) {
			write(numbers, at + 4 + i, arguments[i]);
		}
	}

	/**
	 * What windows of the calendar are looked up by. Redis' clock decides which one is
	 * on.
	 */
	private long clientTime() {
		return (this.clock != null) ? this.clock.getAsLong()
				: TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
	}

	private static void write(byte[] numbers, int at, long number) {
		NUMBER.set(numbers, at * Double.BYTES, (double) number);
	}

	static long read(byte[] numbers, int at) {
		return (long) (double) NUMBER.get(numbers, at * Double.BYTES);
	}

}
