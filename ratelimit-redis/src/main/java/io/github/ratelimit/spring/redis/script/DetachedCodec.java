package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.DetachedText;
import org.jspecify.annotations.Nullable;

/**
 * A codec of requests and replies about detached charges. Thread-safe.
 */
public final class DetachedCodec {

	/** The most charges to refund after one reply. */
	private static final int MOST_DUE = 64;

	/** The time for which a charge that was not settled waits for its refund. */
	private static final long REFUNDABLE = TimeUnit.DAYS.toMicros(1);

	/** The time for which the set of charges to refund is kept after a write. */
	private static final long SET_KEPT = TimeUnit.DAYS.toMicros(368);

	/** The time after which a charge is refunded again if an instance died over it. */
	private static final long AGAIN = TimeUnit.SECONDS.toMicros(10);

	/** The time by which a charge is kept later than it is expected. */
	private static final long LATE = TimeUnit.MILLISECONDS.toMicros(50);

	private static final long TTL_MARGIN = TimeUnit.MILLISECONDS.toMicros(500);

	private static final byte[] ANY_TIME = ScriptCodec.span(0, Long.MAX_VALUE);

	private static final byte[] YES = { '1' };

	private static final byte[] NO = { '0' };

	private static final int FOUND_NUMBERS = 3;

	private static final int DUE_NUMBERS = 4;

	private final DecisionScript keep = DecisionScript.ofFile("detached-keep.lua");

	private final DecisionScript find = DecisionScript.ofFile("detached-find.lua");

	private final DecisionScript expect = DecisionScript.ofFile("detached-expect.lua");

	private final DecisionScript due = DecisionScript.ofFile("detached-due.lua");

	/** The scripts that settle, by the SHA-1 of those that decide. */
	private final Map<String, DecisionScript> settling = new ConcurrentHashMap<>();

	private final ScriptCodec codec;

	private final CountKeys keys;

	private final ServerClock clock;

	/**
	 * Creates a codec.
	 * @param prefix the start of every key
	 * @param clock the clock of the server
	 * @param codec the codec of corrections, with the same clock
	 */
	public DetachedCodec(String prefix, ServerClock clock, ScriptCodec codec) {
		this.keys = new CountKeys(prefix);
		this.clock = clock;
		this.codec = codec;
	}

	/** Returns a new place for a charge. */
	public DetachedPlace place(DetachedCharge charge) {
		return DetachedPlace.random(this.keys.hash(charge.key()), charge.counter());
	}

	/** Returns the invocation that expects a charge to be due after some microseconds. */
	public ScriptInvocation expect(DetachedPlace place, long lifeMicros) {
		return invocation(this.expect, set(), numbers(lifeMicros + LATE, SET_KEPT), place.text());
	}

	/**
	 * Returns the invocation that keeps a charge.
	 * @param refundUnsettled whether it is kept for a refund after its time
	 */
	public ScriptInvocation keep(DetachedPlace place, DetachedCharge charge, long lifeMicros, boolean refundUnsettled) {
		long kept = lifeMicros + (refundUnsettled ? REFUNDABLE : TTL_MARGIN);
		return invocation(this.keep, key(place), numbers(lifeMicros, kept),
				DetachedText.write(charge).getBytes(StandardCharsets.US_ASCII));
	}

	/** Returns the time of the server in a reply, in microseconds since 1970. */
	public static long time(byte[] reply) {
		return ScriptCodec.read(reply, 0);
	}

	/** Returns the invocation that finds a charge. */
	public ScriptInvocation find(DetachedPlace place) {
		return invocation(this.find, key(place), numbers());
	}

	/**
	 * Returns the charge in a reply.
	 * @throws RateLimitStoreException if another version of the store has written it
	 */
	public static Found found(byte[] reply, DetachedPlace place) {
		int value = FOUND_NUMBERS * Double.BYTES;
		int text = value + 1 + Double.BYTES;
		if (reply.length < text) {
			return new Found(time(reply), 0, false, null);
		}
		boolean isOpen = reply[value] == 'o';
		byte[] end = new byte[Double.BYTES];
		System.arraycopy(reply, value + 1, end, 0, end.length);
		return new Found(time(reply), ScriptCodec.read(end, 0), !isOpen, isOpen
				? charge(new String(reply, text, reply.length - text, StandardCharsets.US_ASCII), place.hash()) : null);
	}

	private static DetachedCharge charge(String text, String hash) {
		try {
			return DetachedText.read(text, hash);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new RateLimitStoreException("Another version has kept a detached reservation in Redis", ex);
		}
	}

	/**
	 * Returns the invocation that settles a charge.
	 * @param correction the correction of its counts
	 * @param isDue whether it is refunded because its time is over
	 */
	public ScriptInvocation settle(DetachedPlace place, StoreRequest correction, boolean isDue) {
		ScriptInvocation decision = this.codec.encode(correction);
		byte[][] keys = new byte[correction.permits().size() + 1][];
		for (int i = 0; i < keys.length - 1; i++) {
			keys[i] = this.keys.keyOfHash(correction.permits().get(i));
		}
		keys[keys.length - 1] = key(place);
		byte[][] known = decision.arguments();
		byte[][] arguments = { known[0], known[1], (known.length > 2) ? known[2] : ANY_TIME, isDue ? YES : NO };
		DecisionScript script = this.settling.computeIfAbsent(decision.script().sha1(),
				(missing) -> decision.script().settling());
		return new ScriptInvocation(script, keys, arguments, 1, 0);
	}

	/**
	 * Returns the settlement in a reply.
	 * @param endMicros the time when the charge can no longer be settled
	 * @throws OtherTimeException if the server could not decide at its time
	 */
	public static Settlement settlement(byte[] reply, long endMicros) {
		int code = (int) ScriptCodec.read(reply, 1);
		return switch (code) {
			case -1 -> throw new OtherTimeException(time(reply));
			case -2 -> (time(reply) >= endMicros) ? Settlement.EXPIRED : Settlement.UNKNOWN;
			case -3 -> Settlement.ALREADY_SETTLED;
			case -4 -> Settlement.EXPIRED;
			default -> Settlement.SETTLED;
		};
	}

	/**
	 * Returns the invocation that takes charges whose refunds are due.
	 * @param done the places of those that need none any more
	 */
	public ScriptInvocation due(List<DetachedPlace> done) {
		byte[][] arguments = new byte[done.size() + 1][];
		arguments[0] = numbers(MOST_DUE, AGAIN);
		for (int i = 0; i < done.size(); i++) {
			arguments[i + 1] = done.get(i).text();
		}
		return new ScriptInvocation(this.due, new byte[][] { set() }, arguments, 1, 0);
	}

	/**
	 * Returns the charges in a reply that are due. Members of another form, as of a later
	 * version, are counted, and are due again later.
	 */
	public static Due readDue(byte[] reply) {
		long next = ScriptCodec.read(reply, DUE_NUMBERS - 1);
		List<DetachedPlace> places = new ArrayList<>();
		int others = 0;
		int at = DUE_NUMBERS * Double.BYTES;
		while (at < reply.length) {
			byte[] text = new byte[Byte.toUnsignedInt(reply[at])];
			System.arraycopy(reply, at + 1, text, 0, text.length);
			if (DetachedPlace.isPlace(text)) {
				places.add(DetachedPlace.of(text));
			}
			else {
				others++;
			}
			at += 1 + text.length;
		}
		return new Due(places, others, (next < 0) ? OptionalLong.empty() : OptionalLong.of(next));
	}

	private byte[] key(DetachedPlace place) {
		return this.keys.key(place.counter(), place.hash(), "detached:" + place.id());
	}

	private byte[] set() {
		return this.keys.prefixed("{detached}:due");
	}

	private byte[] numbers(long... others) {
		byte[] numbers = new byte[(1 + others.length) * Double.BYTES];
		ScriptCodec.write(numbers, 0, this.clock.isReplaced() ? this.clock.micros() : ScriptCodec.TIME_OF_SERVER);
		for (int i = 0; i < others.length; i++) {
			ScriptCodec.write(numbers, 1 + i, others[i]);
		}
		return numbers;
	}

	private static ScriptInvocation invocation(DecisionScript script, byte[] key, byte[]... arguments) {
		return new ScriptInvocation(script, new byte[][] { key }, arguments, 1, 0);
	}

	/**
	 * A charge as it was found.
	 *
	 * @param time the time of the server
	 * @param endMicros the time when it can no longer be settled
	 * @param settled whether it was settled
	 * @param charge the charge; {@code null} if it was settled, or there is none
	 */
	public record Found(long time, long endMicros, boolean settled, @Nullable DetachedCharge charge) {

	}

	/**
	 * Charges whose refunds are due.
	 *
	 * @param places their places
	 * @param others the number of members of another form
	 * @param next the time until another is due, in microseconds
	 */
	public record Due(List<DetachedPlace> places, int others, OptionalLong next) {

		/** Returns whether nothing was due. */
		public boolean isEmpty() {
			return this.places.isEmpty() && this.others == 0;
		}

	}

}
