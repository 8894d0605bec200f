package io.github.ratelimit.test;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.check.LimiterUse;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.method.RateLimitedMethods;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The keys by which the calls of an application may charge policies: those of the policy,
 * those of annotations, and any if code has the limiter.
 *
 * @param keys the resolvers of keys
 * @param methods the limited methods
 * @param beans the beans of the application
 */
record KeyUses(KeyResolvers keys, RateLimitedMethods methods, ConfigurableListableBeanFactory beans) {

	/** Returns a key as calls have it. */
	String canonical(Policy policy, String key) {
		return this.keys.canonical(policy, key);
	}

	/**
	 * Checks that a call may charge a policy by a key.
	 * @throws IllegalArgumentException if none does
	 */
	void require(Policy policy, String key) {
		if (!LimiterUse.isPossible(this.beans)) {
			this.keys.requireKind(policy, words(policy), key);
		}
	}

	private List<String> words(Policy policy) {
		Stream<String> ofMethods = this.methods.all()
			.flatMap((method) -> method.keysOf(policy.name()).stream())
			.flatMap(Collection::stream);
		return Stream.concat(policy.keys().stream(), ofMethods).distinct().toList();
	}

}
