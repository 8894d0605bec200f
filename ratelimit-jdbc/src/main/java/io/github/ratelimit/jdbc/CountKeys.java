package io.github.ratelimit.jdbc;

import java.util.List;

import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.StoreRequest;
import io.github.ratelimit.store.shared.KeyHash;

/**
 * The keys of counts: {@code <prefix>:<counter>:<hash of the key>:<period>}, and the
 * position of a limit that is not the first of its period. Thread-safe.
 */
final class CountKeys {

	private final KeyHash hash = new KeyHash();

	private final String prefix;

	CountKeys(String prefix) {
		this.prefix = prefix;
	}

	String prefix() {
		return this.prefix;
	}

	/** Returns what is kept in place of a caller's key. */
	String hash(String key) {
		return this.hash.of(key);
	}

	/** Returns the key of each permit. */
	List<String> of(StoreRequest request) {
		return request.permits().stream().map((permit) -> key(permit, hash(permit.key()))).toList();
	}

	/** Returns the same for permits that have the hashes in place of the keys. */
	List<String> ofHashed(StoreRequest request) {
		return request.permits().stream().map((permit) -> key(permit, permit.key())).toList();
	}

	private String key(PermitRequest permit, String hash) {
		int position = permit.policyLimit().position();
		String first = this.prefix + ':' + permit.policyLimit().counter() + ':' + hash + ':'
				+ permit.limit().periodMicros();
		return (position > 0) ? first + ':' + position : first;
	}

}
