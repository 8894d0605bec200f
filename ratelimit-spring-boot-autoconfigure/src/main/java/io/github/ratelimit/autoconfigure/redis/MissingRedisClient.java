package io.github.ratelimit.autoconfigure.redis;

import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.autoconfigure.store.StoreChoice.Basis;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

/**
 * A check for a Redis that is configured while calls are counted in memory, as the
 * application lacks the client or Spring Boot does not read the property.
 *
 * @param choice the stores that were chosen
 * @param evidence that the application uses a Redis
 */
record MissingRedisClient(StoreChoice choice, RedisEvidence evidence) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		if (this.choice.basis() != Basis.NOTHING) {
			return Stream.empty();
		}
		Optional<String> found = this.evidence.first();
		return found.isPresent() ? Stream.of(withoutClient(found.get()))
				: this.evidence.outdated().stream().map(MissingRedisClient::outdated);
	}

	private static Finding outdated(String property) {
		return finding("Rate limits are counted in memory, by each instance on its own: Spring Boot does not read '"
				+ property + "'. Rename it to '" + property.replace("redis", "data.redis")
				+ "' to share counts, or set 'ratelimit.store' to 'memory'.");
	}

	private static Finding withoutClient(String evidence) {
		return finding("Rate limits are counted in memory, by each instance on its own, although " + evidence
				+ ": there is no RedisConnectionFactory bean. Add 'spring-boot-starter-data-redis' to share "
				+ "counts, or set 'ratelimit.store' to 'memory'.");
	}

	private static Finding finding(String message) {
		return new Finding(Kind.MISSING_REDIS_CLIENT, "ratelimit.store", message);
	}

}
