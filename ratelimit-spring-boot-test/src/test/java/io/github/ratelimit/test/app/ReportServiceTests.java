package io.github.ratelimit.test.app;

import io.github.ratelimit.test.AutoConfigureRateLimits;
import io.github.ratelimit.test.TestRateLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureRateLimits
class ReportServiceTests {

	@Autowired
	ReportService reports;

	@Autowired
	TestRateLimits limits;

	@Test
	void printsThreeReportsForAReader() {
		for (int call = 0; call < 3; call++) {
			this.reports.printFor("ada");
		}
		assertThatCall(() -> this.reports.printFor("ada")).isRateLimited().retryAfter("20m");
	}

	@Test
	void waitsForItsTurn() {
		this.reports.print();
		this.reports.print();
		assertThat(this.limits.elapsed()).hasMillis(100);
	}

	@Test
	void deniesCallsThatWouldWaitTooLong() {
		this.limits.exhaust("reports", "global");
		assertThatCall(() -> this.reports.print()).isRateLimited().by("reports");
	}

}
