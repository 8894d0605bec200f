package io.github.ratelimit.doors;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Requests of WebFlux, with counts in Redis. */
@Tag("long")
class WebFluxRequestsIT {

	@Nested
	class RuleBeforeSecurity extends WebFluxRequests {

		RuleBeforeSecurity() {
			super("/first");
		}

	}

	@Nested
	class RuleAfterSecurity extends WebFluxRequests {

		RuleAfterSecurity() {
			super("/rule");
		}

	}

	@Nested
	class RuleThatAMethodJoins extends WebFluxRequests {

		RuleThatAMethodJoins() {
			super("/joined");
		}

	}

	@Nested
	class MonoOfController extends WebFluxRequests {

		MonoOfController() {
			super("/mono");
		}

	}

	@Nested
	class MonoByArgument extends WebFluxRequests {

		MonoByArgument() {
			super("/argument?cost=1");
		}

	}

	@Nested
	class BlockingController extends WebFluxRequests {

		BlockingController() {
			super("/blocking");
		}

	}

	@Nested
	class BlockingByArgument extends WebFluxRequests {

		BlockingByArgument() {
			super("/blocking-argument?cost=1");
		}

	}

}
