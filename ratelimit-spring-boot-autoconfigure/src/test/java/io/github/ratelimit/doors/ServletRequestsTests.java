package io.github.ratelimit.doors;

import org.junit.jupiter.api.Nested;

/** Requests of Spring MVC, with counts in memory. */
class ServletRequestsTests {

	@Nested
	class Rule extends ServletRequests {

		Rule() {
			super("/rule");
		}

	}

	@Nested
	class DeferredResultOfController extends ServletRequests {

		DeferredResultOfController() {
			super("/deferred");
		}

	}

	@Nested
	class CallableOfController extends ServletRequests {

		CallableOfController() {
			super("/callable");
		}

	}

}
