package io.github.ratelimit.store.shared;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PolicyLimit;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DenialCacheTests {

	private static final long TIME = 1_790_000_000_000_000L;

	private static final PolicyLimit LIMITED = policyLimit("10/1s");

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final DenialCache denials = denials(64);

	@Test
	void expiresADenialByTheTimeOfTheRequest() {
		long askedAt = this.clock.get();
		this.clock.addAndGet(40_000);
		this.denials.learn(request("alice", 1), denial(100), askedAt, 0);
		this.clock.set(askedAt + 99_999);
		assertThat(this.denials.get(request("alice", 1))).isNotNull();
		this.clock.set(askedAt + 100_000);
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	@Test
	void evictsADenialThatIsJustBeingCached() {
		StoreRequest request = request("alice", 1);
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		DenialCache denials = new DenialCache(64, Duration.ofSeconds(1), () -> {
			meanwhile.getAndSet(() -> {
			}).run();
			return this.clock.get();
		});
		meanwhile.set(() -> denials.evict(request));
		denials.learn(request, denial(100), this.clock.get(), 0);
		assertThat(denials.get(request)).isNull();
		denials.learn(request, denial(100), this.clock.get(), 1);
		assertThat(denials.get(request)).isNotNull();
	}

	@Test
	void agesADenialByTheTimeOfTheReply() {
		long askedAt = this.clock.get();
		this.clock.addAndGet(40_000);
		this.denials.learn(request("alice", 1), denial(100), askedAt, 0);
		this.clock.addAndGet(30_000);
		assertThat(this.denials.get(request("alice", 1))).isEqualTo(
				Decision.of(TIME + 30, List.of(new LimitDecision("quotes", "alice", LIMITED.limit(), 3, 70, 170, 0))));
	}

	@Test
	void expiresADenialAtTheMaximumAge() {
		this.denials.learn(request("alice", 1), denial(10_000_000), this.clock.get(), 0);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
		assertThat(this.denials.get(request("alice", 1))).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	/** A call of another instance may end at any time. */
	@Test
	void cachesNoDenialByALimitOnConcurrency() {
		PolicyLimit slots = new PolicyLimit("quotes", "quotes", 0, Limit.parse("5 concurrent", Algorithm.TOKEN_BUCKET),
				0);
		StoreRequest request = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(slots, "alice", 1, 0));
		Decision denial = Decision.of(TIME,
				List.of(new LimitDecision("quotes", "alice", slots.limit(), 0, 100, 200, 0)));
		this.denials.learn(request, denial, this.clock.get(), 0);
		assertThat(this.denials.get(request)).isNull();
	}

	/** Checks for what another instance may admit, which delays the request. */
	@Test
	void expiresADenialWhenFewerPermitsMightBeAdmitted() {
		this.denials.learn(request("alice", 5), denial(410_000), this.clock.get(), 0);
		this.clock.addAndGet(9_998_999);
		assertThat(this.denials.get(request("alice", 5))).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.denials.get(request("alice", 5))).isNull();
	}

	/** Also the permits of the reserve may be admitted, to calls of another policy. */
	@Test
	void expiresADenialWhenAPermitOfTheReserveMightBeAdmitted() {
		PolicyLimit reserving = new PolicyLimit("batch", "quotes", 0, LIMITED.limit(), 4);
		StoreRequest request = StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(reserving, "alice", 1, 0));
		this.denials.learn(request, denial(410_000), this.clock.get(), 0);
		this.clock.addAndGet(9_998_999);
		assertThat(this.denials.get(request)).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.denials.get(request)).isNull();
	}

	/**
	 * While one limit is full, no call of the policy is admitted and spends of another.
	 */
	@ParameterizedTest
	@CsvSource({ "100, 300, 300", "300, 100, 300", "0, 100, 100", "100, 0, 100" })
	void expiresADenialByTheLimitThatIsFullForLongest(long retryAfter, long other, long micros) {
		List<PolicyLimit> limits = List.of(LIMITED,
				new PolicyLimit("quotes", "quotes", 0, Limit.parse("20/1m", Algorithm.FIXED_WINDOW), 0));
		StoreRequest request = new StoreRequest(StoreOperation.ACQUIRE,
				limits.stream().map((limit) -> new PermitRequest(limit, "alice", 1, 0)).toList());
		Decision denial = Decision.of(TIME,
				List.of(new LimitDecision("quotes", "alice", LIMITED.limit(), 3, retryAfter, 400, 0),
						new LimitDecision("quotes", "alice", limits.get(1).limit(), 3, other, 400, 0)));
		this.denials.learn(request, denial, this.clock.get(), 0);
		this.clock.addAndGet(1000 * micros - 1);
		assertThat(this.denials.get(request)).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.denials.get(request)).isNull();
	}

	@Test
	void evictsADenialOnceFewerPermitsAreAdmitted() {
		this.denials.learn(request("alice", 5), denial(500_000), this.clock.get(), 0);
		this.denials.learn(request("alice", 1), denial(0), this.clock.get(), 0);
		assertThat(this.denials.get(request("alice", 5))).isNull();
	}

	@Test
	void missesForOtherCosts() {
		this.denials.learn(request("alice", 5), denial(500_000), this.clock.get(), 0);
		assertThat(this.denials.get(request("alice", 4))).isNull();
		assertThat(this.denials.get(request("alice", 6))).isNull();
		assertThat(this.denials.get(request("alice", 5))).isNotNull();
	}

	@Test
	void missesForOtherKeysAndLimits() {
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), 0);
		assertThat(this.denials.get(request("bob", 1))).isNull();
		assertThat(this.denials
			.get(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(policyLimit("20/1s"), "alice", 1, 0))))
			.isNull();
	}

	@Test
	void missesForRequestsThatMayWait() {
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), 0);
		assertThat(
				this.denials.get(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "alice", 1, 50))))
			.isNull();
		this.denials.learn(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "bob", 1, 50)),
				denial(100), this.clock.get(), 0);
		assertThat(this.denials.get(StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, "bob", 1, 50))))
			.isNull();
	}

	@Test
	void cachesNoAdmission() {
		this.denials.learn(request("alice", 1), denial(0), this.clock.get(), 0);
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	@Test
	void evictsTheDenialsOfARefundedCount() {
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), 0);
		this.denials.evict(request("alice", 7));
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	@Test
	void evictsTheDenialsOfCountsThatAnotherInstanceHasReset() {
		long before = this.denials.epoch();
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), before);
		this.denials.learn(request("bob", 1), denial(100), this.clock.get(), before);
		this.denials.evict((permit) -> permit.key().equals("alice"));
		assertThat(this.denials.get(request("alice", 1))).isNull();
		assertThat(this.denials.get(request("bob", 1))).isNotNull();
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), before);
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	@Test
	void cachesNoDenialOfARequestFromBeforeARefund() {
		long before = this.denials.epoch();
		this.denials.evict(request("alice", 1));
		this.denials.learn(request("alice", 1), denial(100), this.clock.get(), before);
		assertThat(this.denials.get(request("alice", 1))).isNull();
	}

	@Test
	void cachesNoMoreThanItHasSlots() {
		for (int caller = 0; caller < 10_000; caller++) {
			this.denials.learn(request("caller-" + caller, 1), denial(100), this.clock.get(), 0);
		}
		int cached = 0;
		for (int caller = 0; caller < 10_000; caller++) {
			cached += (this.denials.get(request("caller-" + caller, 1)) != null) ? 1 : 0;
		}
		assertThat(cached).isBetween(1, 64);
	}

	@Test
	void cachesNothingWithoutSlots() {
		DenialCache none = denials(0);
		none.learn(request("alice", 1), denial(100), this.clock.get(), 0);
		none.evict(request("alice", 1));
		assertThat(none.get(request("alice", 1))).isNull();
	}

	private DenialCache denials(int max) {
		return new DenialCache(max, Duration.ofSeconds(1), this.clock::get);
	}

	private static StoreRequest request(String key, long cost) {
		return StoreRequest.of(StoreOperation.ACQUIRE, new PermitRequest(LIMITED, key, cost, 0));
	}

	private static PolicyLimit policyLimit(String rate) {
		return new PolicyLimit("quotes", "quotes", 0, Limit.parse(rate, Algorithm.TOKEN_BUCKET), 0);
	}

	private static Decision denial(long retryAfter) {
		return Decision.of(TIME, List.of(new LimitDecision("quotes", "alice", LIMITED.limit(), 3, retryAfter, 200, 0)));
	}

}
