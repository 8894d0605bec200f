package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;

import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Plan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of calls that wait for permits of several limits.
 */
@Timeout(60)
class PermitWaitLimitsTests {

	private final TwoInstances two = new TwoInstances();

	@AfterEach
	void close() {
		this.two.close();
	}

	@Test
	void doesNotWaitIfARateDenies() {
		this.two.limiter
			.release(this.two.limiter.reserve(List.of(new Charge("mixed", "a", 2, Duration.ofSeconds(1), null))));
		Decision denied = this.two.limiter.reserve(List.of(new Charge("mixed", "a", 1))).decision();
		assertThat(denied.allowed()).isFalse();
		assertThat(this.two.listener.waiting).isZero();
		assertThat(this.two.time.pending()).isZero();
	}

	@Test
	void chargesTheRateOnceItHasThePermit() throws Exception {
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("mixed"));
		FutureTask<Reservation> call = this.two.onThread("mixed");
		this.two.time.awaitPending(2);
		assertThat(this.two.remaining("mixed")).containsExactly(1L, 0L);
		this.two.limiter.release(holder);
		assertThat(call.get().decision().allowed()).isTrue();
		assertThat(this.two.remaining("mixed")).containsExactly(0L, 0L);
	}

	@Test
	void waitsForThePermitAndTheTurnTogetherNoLongerThanAllowed() {
		RateLimiter limiter = this.two.limiter;
		Reservation holder = limiter.reserve(TwoInstances.charge("smooth"));
		CompletableFuture<Reservation> call = limiter.reserveAsync(TwoInstances.charge("smooth")).toCompletableFuture();
		this.two.time.advance(TwoInstances.SECOND / 2);
		limiter.release(holder);
		this.two.time.advance(1);
		assertThat(this.two.listener.events).endsWith("waited [smooth]", "allowed", "waiting [smooth]");
		this.two.time.advance(TwoInstances.SECOND / 2 - 2);
		assertThat(call).isNotDone();
		this.two.time.advance(1);
		assertThat(call.join().decision().waitMicros()).isEqualTo(TwoInstances.SECOND / 2 - 1);
	}

	@Test
	void deniesIfTheTurnOfTheRateIsTooLateForTheRestOfItsTime() {
		this.two.policies.replace(TwoInstances.policy("smooth", "10/1s leaky-bucket", "1 concurrent"));
		RateLimiter limiter = this.two.limiter;
		Charge charge = TwoInstances.charge("smooth").get(0).waitingUpTo(Duration.ofMillis(800));
		Reservation holder = limiter.reserve(List.of(charge));
		CompletableFuture<Reservation> call = limiter.reserveAsync(List.of(charge)).toCompletableFuture();
		this.two.time.advance(500_000);
		limiter.adjust(holder, 6);
		limiter.release(holder);
		this.two.time.advance(1);
		assertThat(call).isCompletedWithValueMatching((denied) -> !denied.decision().allowed());
		assertThat(this.two.remaining("smooth")).containsExactly(0L, 1L);
		assertThat(limiter.peek(List.of(charge)).waitMicros()).isEqualTo(499_999);
	}

	@Test
	void waitsForOnePolicyAfterTheOther() {
		Reservation all = this.two.limiter.reserve(TwoInstances.charge("everyone"));
		Reservation alice = this.two.limiter.reserve(TwoInstances.both("alice"));
		CompletableFuture<Reservation> second = this.two.limiter.reserveAsync(TwoInstances.both("alice"))
			.toCompletableFuture();
		this.two.limiter.release(alice);
		Reservation elsewhere = this.two.other.reserve(TwoInstances.charge("everyone"));
		this.two.time.advance(1);
		assertThat(second).isNotDone();
		CompletableFuture<Reservation> bob = this.two.limiter.reserveAsync(TwoInstances.both("bob"))
			.toCompletableFuture();
		this.two.limiter.release(all);
		this.two.time.advance(1);
		assertThat(second.join().decision().allowed()).isTrue();
		assertThat(bob).isNotDone();
		this.two.other.release(elsewhere);
		this.two.time.advance(100_000);
		assertThat(bob.join().decision().allowed()).isTrue();
	}

	@Test
	void waitsForTheKeyWithoutAPermitWhereACallChargesTwo() {
		Reservation alice = this.two.limiter.reserve(List.of(Charge.of("user", "alice")));
		CompletableFuture<Reservation> both = this.two.limiter
			.reserveAsync(List.of(Charge.of("user", "bob"), Charge.of("user", "alice")))
			.toCompletableFuture();
		CompletableFuture<Reservation> bob = this.two.limiter.reserveAsync(List.of(Charge.of("user", "bob")))
			.toCompletableFuture();
		assertThat(bob).isCompletedWithValueMatching((admitted) -> admitted.decision().allowed());
		this.two.limiter.release(bob.join());
		this.two.limiter.release(alice);
		this.two.time.advance(1);
		assertThat(both).isCompletedWithValueMatching((admitted) -> admitted.decision().allowed());
	}

	@Test
	void getsThePermitOfAPolicyThatSharesTheCount() {
		this.two.policies
			.add(TwoInstances.policy("batch", "1 concurrent").withOptions(TwoInstances.WAITS.sharing("slots", 0)));
		Reservation holder = this.two.limiter.reserve(TwoInstances.charge("slots"));
		CompletableFuture<Reservation> call = this.two.limiter.reserveAsync(TwoInstances.charge("batch"))
			.toCompletableFuture();
		this.two.limiter.release(holder);
		this.two.time.advance(1);
		assertThat(call.join().holdsPermits()).isTrue();
	}

	@Test
	void queuesApartForALargerLimitOnTheSameCount() {
		this.two.policies.replace(TwoInstances.policy("slots", "1 concurrent")
			.withPlans(
					Map.of("large", new Plan(List.of(TwoInstances.limit("2 concurrent")), EnforcementMode.ENFORCE))));
		this.two.limiter.reserve(TwoInstances.charge("slots"));
		CompletableFuture<Reservation> call = this.two.limiter.reserveAsync(TwoInstances.charge("slots"))
			.toCompletableFuture();
		Charge large = TwoInstances.charge("slots").get(0).withPlan("large");
		assertThat(this.two.limiter.reserve(List.of(large)).decision().allowed()).isTrue();
		assertThat(call).isNotDone();
	}

	@Test
	void doesNotWaitForAPolicyWithoutAMaximumWait() {
		this.two.limiter.reserve(TwoInstances.charge("impatient"));
		this.two.limiter.reserve(TwoInstances.charge("slots"));
		assertThat(this.two.limiter.reserve(TwoInstances.charge("impatient")).decision().allowed()).isFalse();
		List<Charge> charges = List.of(TwoInstances.charge("slots").get(0), TwoInstances.charge("impatient").get(0));
		assertThat(this.two.limiter.reserve(charges).decision().allowed()).isFalse();
	}

}
