package io.github.ratelimit.doors;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Limited methods, with counts in Redis. */
@Tag("long")
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
