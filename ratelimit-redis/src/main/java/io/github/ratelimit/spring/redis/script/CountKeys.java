package io.github.ratelimit.spring.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.KeyHash;

/**
 * The keys of counts in Redis. The hash tag is the hash of the caller's key alone, so
 * that all counts of a caller are in one slot of a cluster. For counts of everyone, it
 * has the name of the counter too, so that not all of these are in one slot. Thread-safe.
 */
public final class CountKeys {

	/** The version of the layout of keys and values. */
	private static final String VERSION = ":1:";

	private final KeyHash hash = new KeyHash();

	private final byte[] prefix;

	CountKeys(String prefix) {
		this.prefix = (prefix + VERSION).getBytes(StandardCharsets.US_ASCII);
	}

	/** Returns the counter that a key belongs to. */
	public static String policy(byte[] key) {
		String text = new String(key, StandardCharsets.US_ASCII);
		int tag = text.indexOf('{');
		int hash = text.lastIndexOf('}') - KeyHash.LENGTH;
		return (hash > tag + 1) ? text.substring(tag + 1, hash - 1)
				: text.substring(text.lastIndexOf(':', tag - 2) + 1, tag - 1);
	}

	/**
	 * Returns whether all counts of a request are in one slot of a cluster: those of one
	 * counter and key, or of one key that is not everyone's.
	 */
	public static boolean isInOneSlot(StoreRequest request) {
		List<PermitRequest> permits = request.permits();
		for (int i = 1; i < permits.size(); i++) {
			if (!isInOneSlot(permits.get(0), permits.get(i))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isInOneSlot(PermitRequest one, PermitRequest other) {
		return isForEveryone(other) ? one.sharesKeyWith(other) : one.key().equals(other.key());
	}

	/** Returns a text that is equal for counts in one slot of a cluster. */
	public static String slot(PermitRequest permit) {
		return isForEveryone(permit) ? permit.policyLimit().counter() + ':' + permit.key() : permit.key();
	}

	/**
	 * Returns whether the counter's name is a part of the hash tag, so that not all
	 * counts for everyone are in one slot.
	 */
	private static boolean isForEveryone(PermitRequest permit) {
		return Policy.EVERYONE.equals(permit.key());
	}

	/**
	 * Returns the key of a count. It has a position only from the second limit of a
	 * period on.
	 */
	byte[] key(PermitRequest permit) {
		String counter = permit.policyLimit().counter();
		String period = permit.limit().period();
		int position = permit.policyLimit().position();
		int end = (position > 0) ? 1 + digits(position) : 0;
		byte[] key = new byte[this.prefix.length + counter.length() + KeyHash.LENGTH + period.length() + end + 4];
		System.arraycopy(this.prefix, 0, key, 0, this.prefix.length);
		int at = append(isForEveryone(permit) ? "{" : "", key, this.prefix.length);
		at = append(counter, key, at);
		at = append(isForEveryone(permit) ? ":" : ":{", key, at);
		this.hash.write(permit.key(), key, at);
		at = append("}:", key, at + KeyHash.LENGTH);
		at = append(period, key, at);
		if (position > 0) {
			key[at] = ':';
			appendBackwards(position, key);
		}
		return key;
	}

	/** Returns the hash of a caller's key, which stands for it in every key. */
	String hash(String key) {
		return this.hash.of(key);
	}

	/** Returns the key of a count, for a request with the hash of the caller's key. */
	byte[] keyOfHash(PermitRequest permit) {
		int position = permit.policyLimit().position();
		return key(permit.policyLimit().counter(), permit.key(),
				permit.limit().period() + ((position > 0) ? ":" + position : ""));
	}

	/**
	 * Returns a key in the slot of all counts of a counter and caller.
	 * @param hash the hash of the caller's key
	 * @param end the end of the key
	 */
	byte[] key(String counter, String hash, String end) {
		String tagged = hash.equals(hash(Policy.EVERYONE)) ? "{" + counter + ":" + hash : counter + ":{" + hash;
		return prefixed(tagged + "}:" + end);
	}

	/** Returns a key with the prefix of all. */
	byte[] prefixed(String end) {
		byte[] bytes = end.getBytes(StandardCharsets.US_ASCII);
		byte[] key = Arrays.copyOf(this.prefix, this.prefix.length + bytes.length);
		System.arraycopy(bytes, 0, key, this.prefix.length, bytes.length);
		return key;
	}

	private static int digits(int number) {
		int digits = 1;
		for (int rest = number / 10; rest > 0; rest /= 10) {
			digits++;
		}
		return digits;
	}

	/** Writes a number to the end of the target. */
	private static void appendBackwards(int number, byte[] target) {
		int at = target.length;
		int rest = number;
		do {
			target[--at] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		while (rest > 0);
	}

	/** Writes a name, which is ASCII. */
	private static int append(String text, byte[] target, int at) {
		for (int i = 0; i < text.length(); i++) {
			target[at + i] = (byte) text.charAt(i);
		}
		return at + text.length();
	}

}
