package io.github.ratelimit.doors;

import io.github.ratelimit.redis.CountsInRedis;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Requests of Spring MVC, with counts in Redis. */
@Tag("long")
class ServletRequestsIT {

	@Nested
	class Rule extends ServletRequests implements CountsInRedis {

		Rule() {
			super("/rule");
		}

	}

	@Nested
	class DeferredResultOfController extends ServletRequests implements CountsInRedis {

		DeferredResultOfController() {
			super("/deferred");
		}

	}

	@Nested
	class CallableOfController extends ServletRequests implements CountsInRedis {

		CallableOfController() {
			super("/callable");
		}

	}

}
