package io.github.ratelimit.autoconfigure.store;

import java.util.stream.Stream;

import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;

/**
 * A check for a Redis that is configured while calls are counted in memory, as the
 * application lacks the client.
 *
 * @param choice the stores that were chosen
 * @param evidence that the application uses a Redis
 */
record MissingRedisClient(StoreChoice choice, RedisEvidence evidence) implements StartCheck {

	@Override
	public Stream<Finding> findings() {
		return this.choice.lacksClient() ? this.evidence.first().map(this::finding).stream() : Stream.empty();
	}

	private Finding finding(String evidence) {
		return new Finding(Kind.MISSING_REDIS_CLIENT, "ratelimit.store",
				"Rate limits are counted in memory, by each instance on its own, although " + evidence
						+ ": there is no RedisConnectionFactory bean. Add 'spring-boot-starter-data-redis' to share "
						+ "counts, or set 'ratelimit.store' to 'memory'.");
	}

}
