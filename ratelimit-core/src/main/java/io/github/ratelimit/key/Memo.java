package io.github.ratelimit.key;

import org.jspecify.annotations.Nullable;

/**
 * The last answers for keys, so that one that is used often is answered once. A
 * direct-mapped cache of fixed size: on a collision the later answer wins. Answers are
 * immutable and know what they answer, so a thread that misses one creates it again.
 * Thread-safe.
 *
 * @param <T> the type of answers
 */
public final class Memo<T> {

	/** The longest key whose answer is kept, as callers choose keys. */
	private static final int LONGEST_KEY = 128;

	/** The hashes of the latest keys, which tell most others apart in one read. */
	private final int[] hashes;

	private final @Nullable Object[] answers;

	/**
	 * Creates an empty memo.
	 * @param size the number of answers, a power of two
	 */
	public Memo(int size) {
		this.hashes = new int[size];
		this.answers = new Object[size];
	}

	/**
	 * Returns the last answer, which may be that for another key of an equal hash.
	 * @param key the key
	 * @param salt a hash of what an answer depends on besides the key
	 * @return the answer, or {@code null}
	 */
	@SuppressWarnings("unchecked")
	public @Nullable T get(String key, int salt) {
		int hash = hash(key, salt);
		int slot = slot(hash);
		return (this.hashes[slot] == hash) ? (T) this.answers[slot] : null;
	}

	/**
	 * Notes the use of a key, for answers that are worth a place from the second use of
	 * their key in a row on: most keys of many would only replace each other.
	 * @param key the key
	 * @param salt a hash of what an answer depends on besides the key
	 * @return whether no other key of the same place was used since
	 */
	public boolean noteUse(String key, int salt) {
		int hash = hash(key, salt);
		int slot = slot(hash);
		boolean again = this.hashes[slot] == hash;
		if (!again) {
			this.hashes[slot] = hash;
		}
		return again;
	}

	/**
	 * Keeps the answer for a key, unless the key is long.
	 * @param key the key
	 * @param salt a hash of what the answer depends on besides the key
	 * @param answer the answer
	 */
	public void put(String key, int salt, T answer) {
		if (key.length() <= LONGEST_KEY) {
			int hash = hash(key, salt);
			int slot = slot(hash);
			this.hashes[slot] = hash;
			this.answers[slot] = answer;
		}
	}

	private static int hash(String key, int salt) {
		return 31 * salt + key.hashCode();
	}

	private int slot(int hash) {
		return (hash ^ (hash >>> 16)) & (this.hashes.length - 1);
	}

}
