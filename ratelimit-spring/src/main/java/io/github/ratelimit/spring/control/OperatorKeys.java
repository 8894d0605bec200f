package io.github.ratelimit.spring.control;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.KnownKeys;

/**
 * The keys of policies as operators write them: as a text that begins with its kind, or
 * as the digest that reports and logs show. Thread-safe.
 */
public final class OperatorKeys {

	private final KeyResolvers keys;

	private final Supplier<Stream<KnownKeys>> known;

	/**
	 * Creates keys.
	 * @param keys the resolvers, which know how keys are written
	 * @param known supplies the parts of the application that know keys
	 */
	public OperatorKeys(KeyResolvers keys, Supplier<Stream<KnownKeys>> known) {
		this.keys = keys;
		this.known = known;
	}

	/**
	 * Returns a key as calls have it.
	 * @param policy the policy
	 * @param text the key or its digest
	 * @return the key
	 * @throws IllegalArgumentException if the policy has no keys of this kind, or the
	 * digest is of no key that this instance knows
	 */
	public String of(Policy policy, String text) {
		if (KeyDigest.isInPlace(text)) {
			return find(policy, text).orElseThrow(() -> new IllegalArgumentException(
					"this instance knows no key of this digest: it has not counted one in the last minutes "
							+ "('ratelimit.top.enabled'), or the key is longer than 56 characters"));
		}
		String key = this.keys.canonical(policy, text);
		Set<String> words = words(policy);
		if (!words.isEmpty() && find(policy, key).isEmpty()) {
			this.keys.requireKind(policy, words, key);
		}
		return key;
	}

	/**
	 * Returns whether a list of callers contains a key, as far as that is known without a
	 * call.
	 * @param entries as in {@code exempt} and {@code blocked}
	 * @param key a key as calls have it
	 * @return whether it is listed
	 */
	public boolean isListed(Collection<String> entries, String key) {
		return this.keys.isListed(entries, key);
	}

	/**
	 * Returns the words by which rules and annotations charge a policy. Without any, code
	 * charges it, by keys that no word tells.
	 */
	private Set<String> words(Policy policy) {
		List<String> charged = this.known.get().flatMap((part) -> part.words(policy.name())).toList();
		Set<String> words = new LinkedHashSet<>();
		if (!charged.isEmpty()) {
			words.addAll(policy.keys());
			words.addAll(charged);
		}
		return words;
	}

	private Optional<String> find(Policy policy, String text) {
		return this.known.get().flatMap((part) -> part.find(policy.name(), text).stream()).findFirst();
	}

}
