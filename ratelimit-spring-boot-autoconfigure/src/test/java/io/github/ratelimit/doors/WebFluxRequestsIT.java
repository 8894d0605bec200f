package io.github.ratelimit.doors;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Requests of WebFlux, with counts in Redis. */
@Tag("long")
class WebFluxRequestsIT {

	@Nested
	class RuleBeforeSecurity extends WebFluxRequests implements CountsInRedis {

		RuleBeforeSecurity() {
			super("/first");
		}

	}

	@Nested
	class RuleAfterSecurity extends WebFluxRequests implements CountsInRedis {

		RuleAfterSecurity() {
			super("/rule");
		}

	}

	@Nested
	class RuleThatAMethodJoins extends WebFluxRequests implements CountsInRedis {

		RuleThatAMethodJoins() {
			super("/joined");
		}

	}

	@Nested
	class MonoOfController extends WebFluxRequests implements CountsInRedis {

		MonoOfController() {
			super("/mono");
		}

	}

	@Nested
	class MonoByArgument extends WebFluxRequests implements CountsInRedis {

		MonoByArgument() {
			super("/argument?cost=1");
		}

	}

	@Nested
	class BlockingController extends WebFluxRequests implements CountsInRedis {

		BlockingController() {
			super("/blocking");
		}

	}

	@Nested
	class BlockingByArgument extends WebFluxRequests implements CountsInRedis {

		BlockingByArgument() {
			super("/blocking-argument?cost=1");
		}

	}

}
