package io.github.ratelimit.store.shared;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;

/**
 * The text of a detached charge, as a store keeps it: a line for the charge, and one for
 * each limit, of words with spaces between them. It contains the digest of the caller's
 * key, not the key.
 */
public final class DetachedText {

	/** The first word, by which a later form can be told apart. */
	private static final String VERSION = "1";

	private static final String NONE = "-";

	private DetachedText() {
	}

	/**
	 * Writes a charge.
	 * @param charge the charge
	 * @return ASCII, without the key
	 */
	public static String write(DetachedCharge charge) {
		String notified = charge.notified();
		String first = words(VERSION, charge.policy(), charge.charges(), charge.cost(), charge.charged(),
				charge.current(), (notified != null) ? KeyDigest.inPlaceOf(notified) : NONE);
		return Stream.concat(Stream.of(first), charge.permits().stream().map(DetachedText::write))
			.collect(Collectors.joining("\n"));
	}

	private static String write(PermitRequest permit) {
		PolicyLimit applied = permit.policyLimit();
		return words(applied.counter(), applied.position(), applied.shadow(), permit.cost(), permit.chargedAtMicros(),
				permit.turnMicros(), LimitWords.write(applied.limit()));
	}

	private static String words(Object... words) {
		return Stream.of(words).map(String::valueOf).collect(Collectors.joining(" "));
	}

	/**
	 * Reads a charge.
	 * @param text the text
	 * @param hash the hash of the caller's key, which the charge has instead of the key
	 * @return the charge
	 * @throws IllegalArgumentException if it is of another form
	 */
	public static DetachedCharge read(String text, String hash) {
		List<String> lines = text.lines().toList();
		Words charge = new Words(lines.isEmpty() ? "" : lines.get(0), 7);
		if (!charge.text(0).equals(VERSION)) {
			throw new IllegalArgumentException("a detached charge is of another version");
		}
		String policy = charge.text(1);
		String notified = charge.text(6).equals(NONE) ? null : charge.text(6);
		return new DetachedCharge(policy, hash, notified, Math.toIntExact(charge.number(2)), charge.number(3),
				charge.number(4), charge.number(5),
				lines.stream()
					.skip(1)
					.map((line) -> permit(new Words(line, 6 + LimitWords.COUNT), policy, hash))
					.toList());
	}

	private static PermitRequest permit(Words words, String policy, String hash) {
		PolicyLimit applied = new PolicyLimit(policy, words.text(0), Math.toIntExact(words.number(1)),
				LimitWords.read(words.rest(6)), 0, 0, Boolean.parseBoolean(words.text(2)), false);
		return new PermitRequest(applied, hash, words.number(3), 0, words.number(4), words.number(5));
	}

	/** The words of a line. */
	private record Words(List<String> words) {

		Words(String line, int count) {
			this(List.of(line.split(" ")));
			if (this.words.size() != count) {
				throw new IllegalArgumentException("a line of a detached charge has " + count + " words");
			}
		}

		String text(int index) {
			return this.words.get(index);
		}

		String rest(int first) {
			return String.join(" ", this.words.subList(first, this.words.size()));
		}

		long number(int index) {
			return Long.parseLong(this.words.get(index));
		}

	}

}
