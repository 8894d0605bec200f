package io.github.ratelimit.doors;

import org.junit.jupiter.api.Nested;

/** Limited methods, with counts in memory. */
class LimitedMethodsTests {

	@Nested
	class OfMono extends LimitedMethods.OfMono {

	}

	@Nested
	class OfFlux extends LimitedMethods.OfFlux {

	}

	@Nested
	class OfStage extends LimitedMethods.OfStage {

	}

	@Nested
	class OfStageOnEventLoop extends LimitedMethods.OfStageOnEventLoop {

	}

}
