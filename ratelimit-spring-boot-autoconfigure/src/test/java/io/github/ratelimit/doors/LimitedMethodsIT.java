package io.github.ratelimit.doors;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Nested;

/** Limited methods, with counts in Redis. */
class LimitedMethodsIT {

	@Nested
	class OfMono extends LimitedMethods.OfMono implements CountsInRedis {

	}

	@Nested
	class OfFlux extends LimitedMethods.OfFlux implements CountsInRedis {

	}

	@Nested
	class OfStage extends LimitedMethods.OfStage implements CountsInRedis {

	}

	@Nested
	class OfStageOnEventLoop extends LimitedMethods.OfStageOnEventLoop implements CountsInRedis {

	}

}
