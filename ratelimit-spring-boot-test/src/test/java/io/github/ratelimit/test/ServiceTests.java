package io.github.ratelimit.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.ReportService;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.Search;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@SpringBootTest(classes = QuoteApplication.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureRateLimits
class ServiceTests {

	@Autowired
	ReportService reports;

	@Autowired
	TestRateLimits limits;

	@Autowired
	RateLimiter limiter;

	@Autowired
	MeterRegistry meters;

	@Test
	void deniesMethodsByTheirArguments() {
		for (int call = 0; call < 3; call++) {
			assertThat(this.reports.printFor("ada")).isNotEmpty();
		}
		assertThatCall(() -> this.reports.printFor("ada")).isRateLimited().retryAfter("20m");
		assertThat(this.reports.printFor("bob")).isNotEmpty();
	}

	@Test
	void movesTheClockInsteadOfWaiting() {
		long start = System.nanoTime();
		for (int call = 0; call < 101; call++) {
			this.reports.print();
		}
		assertThat(this.limits.elapsed()).isEqualTo(Duration.ofSeconds(10));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
	}

	@Test
	void showsHowLongACallWaited() {
		Decision first = this.limiter.acquire(Charge.of("reports", "waits"));
		assertThat(first.waitMicros()).isZero();
		assertThat(this.limiter.acquire(Charge.of("reports", "waits")).waitMicros()).isEqualTo(100_000);
		assertThat(this.limiter.reserveAsync(List.of(Charge.of("reports", "waits"))).toCompletableFuture())
			.isCompletedWithValueMatching((reservation) -> reservation.decision().waitMicros() == 100_000);
		assertThat(this.limits.elapsed()).isEqualTo(Duration.ofMillis(200));
	}

	@Test
	void measuresHowLongCallsWaited() {
		double before = waitMillis();
		this.limits.exhaust("reports", "global");
		this.limits.advance("100ms");
		this.reports.print();
		assertThat(waitMillis() - before).isEqualTo(2000);
	}

	private double waitMillis() {
		return Search.in(this.meters)
			.name("ratelimit.wait")
			.timers()
			.stream()
			.mapToDouble((timer) -> timer.totalTime(TimeUnit.MILLISECONDS))
			.sum();
	}

	@Test
	void fillsTheQueueOfWaitingCalls() {
		this.limits.exhaust("reports", "global");
		assertThat(this.limits.elapsed()).isZero();
		assertThatCall(() -> this.reports.print()).isRateLimited().by("reports").retryAfter("1s");
		this.limits.advance("100ms");
		assertThat(this.reports.print()).isNotEmpty();
		assertThat(this.limits.elapsed()).isEqualTo(Duration.ofMillis(2100));
	}

	@Test
	void exhaustsInPartsWhatOneCallMayNotCost() {
		this.limits.exhaust("batches", "principal:ada");
		assertThat(this.limits.remaining("uploads", "principal:ada")).isEqualTo(10);
		this.limits.exhaust("uploads", "principal:ada");
		assertThat(this.limits.remaining("uploads", "principal:ada")).isZero();
		assertThat(this.limits.remaining("uploads", "principal:bob")).isEqualTo(100);
	}

	@Test
	void exhaustsAsManyPermitsAsCallsCouldSpend() {
		this.limits.exhaust("tenants", "header:x-tenant:acme");
		this.limits.advance("12s");
		assertThat(this.limits.remaining("tenants", "header:x-tenant:acme")).isOne();
	}

	@Test
	void exhaustsWhateverPermitsCallsTell() {
		Charge charge = Charge.of("told", "client-ip:192.0.2.77");
		assertThat(this.limiter.acquire(charge.withPermits(7L)).limits().get(0).remaining()).isEqualTo(6);
		this.limits.exhaust("told", "client-ip:192.0.2.77");
		assertThat(this.limiter.acquire(charge.withPermits(7L)).allowed()).isFalse();
		assertThat(this.limiter.acquire(charge).allowed()).isFalse();
	}

	@Test
	void exhaustsWhatCallsHold() {
		this.limits.exhaust("exports", "global");
		assertThat(this.limits.remaining("exports", "global")).isZero();
		this.limits.reset();
		assertThat(this.limits.remaining("exports", "global")).isEqualTo(2);
	}

	@Test
	void exhaustsNothingThatIsNotDenied() {
		assertThatIllegalStateException().isThrownBy(() -> this.limits.exhaust("trial", "global"))
			.withMessageContaining("'trial'")
			.withMessageContaining("shadow");
		this.reports.attempt();
		assertThat(this.limits.remaining("trial", "global")).isZero();
	}

	@Test
	void exhaustsOnlyKeysThatCallsMayHave() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.exhaust("uploads", "client-ip:127.0.0.1"))
			.withMessage("a key of policy 'uploads' is written as principal:...");
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.exhaust("quotes", "principal:ada"))
			.withMessageContaining("client-ip:... or expression:...");
		this.limits.exhaust("quotes", "expression:ada");
		this.limits.exhaust("uploads", "missing");
		this.limits.exhaust("accounts", "bean:account:ada");
	}

	@Test
	void namesWhatIsWrong() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.exhaust("quote", "client-ip:127.0.0.1"))
			.withMessageContaining("'quote'")
			.withMessageContaining("quotes");
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.exhaust("quotes", "127.0.0.1"))
			.withMessageContaining("client-ip:...");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.limits.exhaust("tenants", "header:x-tenant:a", "gold"))
			.withMessage("policy 'tenants' has no plan 'gold', but [premium]. Its own limits need no plan");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.limits.remaining("tenants", "header:x-tenant:a", "gold"))
			.withMessageContaining("[premium]");
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.advance("60"))
			.withMessageContaining("unit")
			.withMessageContaining("'60'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.advance(Duration.ofSeconds(-1)));
	}

}
