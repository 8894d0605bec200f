package io.github.ratelimit.spring.consumption;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.Reservation;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

class ConsumptionListenerTests {

	private static final Instant START = Instant.parse("2026-11-26T10:15:00Z");

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final String ALICE = "principal:alice";

	private static final String BOB = "principal:bob";

	private final Policies policies = new Policies(
			List.of(policy("api"), policy("site"), policy("off").withMode(EnforcementMode.OFF, List.of()),
					policy("shadow").withMode(EnforcementMode.SHADOW, List.of()),
					policy("clamped").withOptions(PolicyOptions.STANDARD.withMaxCost(new MaxCost(5, true))),
					policy("open").withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.ALLOW, 100)),
					policy("closed").withOptions(PolicyOptions.STANDARD.withStoreFailure(OnStoreFailure.DENY, 100))));

	private final TestStore store = new TestStore();

	private final List<ConsumptionRecord> received = new ArrayList<>();

	private final List<Integer> batches = new ArrayList<>();

	private Instant now = START.plusSeconds(12);

	private boolean failing;

	private @Nullable Error error;

	private ConsumptionDelivery delivery = delivery(100_000, true);

	private ConsumptionListener listener = listener(MINUTE, 1000);

	@Test
	void addsUpWhatIsSpentByPolicyAndKey() {
		acquire(charge("api", ALICE, 3), charge("site", ALICE, 1));
		acquire(charge("api", ALICE, 2));
		acquire(charge("api", BOB, 1));
		acquire(charge("api", BOB, 0));
		deliverAfter(MINUTE);
		assertThat(this.received).allSatisfy((record) -> {
			assertThat(record.from()).isEqualTo(START);
			assertThat(record.until()).isEqualTo(START.plus(MINUTE));
		});
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", ALICE, 5L, 2L), tuple("api", BOB, 1L, 2L),
				tuple("site", ALICE, 1L, 1L));
	}

	@Test
	void countsACallOnceThatChargesAKeyTwice() {
		acquire(charge("api", ALICE, 3), charge("api", BOB, 1), charge("api", ALICE, 4));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", ALICE, 7L, 1L), tuple("api", BOB, 1L, 1L));
	}

	@Test
	void countsWhatATokenSettlesUnderTheDigestOfTheKey() {
		this.delivery = delivery(100_000, false);
		this.listener = listener(MINUTE, 1000);
		acquire(charge("api", ALICE, 3));
		String digest = KeyDigest.inPlaceOf(ALICE);
		this.listener.adjusted(charge("api", digest, 3), -2);
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", digest, 3L, 1L), tuple("api", digest, -2L, 0L));
	}

	@Test
	void deliversNothingBeforeTheEndOfTheInterval() {
		acquire(charge("api", ALICE, 3));
		deliverAfter(Duration.ofSeconds(47));
		assertThat(this.received).isEmpty();
		deliverAfter(Duration.ofSeconds(1));
		assertThat(this.received).hasSize(1);
		deliverAfter(MINUTE);
		assertThat(this.received).hasSize(1);
	}

	@Test
	void endsAnIntervalWithTheFirstCallAfterIt() {
		acquire(charge("api", ALICE, 3));
		this.now = START.plus(MINUTE);
		acquire(charge("api", ALICE, 1));
		deliverAfter(MINUTE.multipliedBy(3));
		assertThat(this.received).extracting(ConsumptionRecord::from, ConsumptionRecord::permits)
			.containsExactly(tuple(START, 3L), tuple(START.plus(MINUTE), 1L));
	}

	@Test
	void beginsIntervalsOnTheClock() {
		this.listener = listener(Duration.ofHours(6), 1000);
		acquire(charge("api", ALICE, 3));
		deliverAfter(Duration.ofHours(6));
		assertThat(this.received).extracting(ConsumptionRecord::from, ConsumptionRecord::until)
			.containsExactly(tuple(Instant.parse("2026-11-26T06:00:00Z"), Instant.parse("2026-11-26T12:00:00Z")));
	}

	@Test
	void countsNoDenialAndNothingThatIsNotLimited() {
		acquire(charge("api", ALICE, 10));
		deliverAfter(MINUTE);
		this.received.clear();
		acquire(charge("api", ALICE, 1));
		acquire(charge("off", ALICE, 3), Charge.exempt("site"));
		deliverAfter(MINUTE);
		assertThat(this.received).isEmpty();
	}

	@Test
	void countsWhatLimitsInShadowWouldDeny() {
		acquire(charge("shadow", ALICE, 10));
		acquire(charge("shadow", ALICE, 4));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactly(tuple("shadow", ALICE, 14L, 2L));
	}

	@Test
	void countsTheCostThatIsCharged() {
		acquire(charge("clamped", ALICE, 9));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactly(tuple("clamped", ALICE, 5L, 1L));
	}

	@Test
	void countsAdmittedCallsWhileTheStoreFails() {
		this.store.fail();
		acquire(charge("api", ALICE, 3), charge("open", ALICE, 2));
		acquire(charge("open", BOB, 9));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> acquire(charge("closed", ALICE, 1)));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", ALICE, 3L, 1L), tuple("open", ALICE, 2L, 1L),
				tuple("open", BOB, 9L, 1L));
	}

	@Test
	void countsAnAdjustmentWhereItIsMade() {
		Reservation one = limiter().reserve(List.of(charge("api", ALICE, 5)));
		limiter().adjust(one, 2);
		Reservation other = limiter().reserve(List.of(charge("api", BOB, 4)));
		deliverAfter(MINUTE);
		limiter().refund(other);
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", ALICE, 2L, 1L), tuple("api", BOB, 4L, 1L),
				tuple("api", BOB, -4L, 0L));
	}

	@Test
	void sharesOneSumForEachPolicyAmongKeysBeyondTheMost() {
		this.listener = listener(MINUTE, 3);
		for (int key = 0; key < 5; key++) {
			acquire(charge("api", "principal:" + key, 2));
		}
		acquire(charge("site", ALICE, 1));
		acquire(charge("api", "principal:0", 1));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", "principal:0", 3L, 2L),
				tuple("api", "principal:1", 2L, 1L), tuple("api", "principal:2", 2L, 1L), tuple("api", null, 4L, 2L),
				tuple("site", null, 1L, 1L));
	}

	@Test
	void showsDigestsUnlessKeysAreShown() {
		this.delivery = delivery(100_000, false);
		this.listener = listener(MINUTE, 1000);
		acquire(charge("api", ALICE, 1));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactly(tuple("api", KeyDigest.inPlaceOf(ALICE), 1L, 1L));
	}

	@Test
	void showsNoLongKey() {
		String longKey = "principal:" + "a".repeat(1000);
		acquire(charge("api", longKey, 1));
		deliverAfter(MINUTE);
		assertThat(spent()).containsExactly(tuple("api", KeyDigest.inPlaceOf(longKey), 1L, 1L));
	}

	@Test
	void deliversAgainWithTheSameIdentifiersWhatTheSinkDidNotTake() {
		acquire(charge("api", ALICE, 3), charge("api", BOB, 1));
		this.failing = true;
		deliverAfter(MINUTE);
		acquire(charge("api", ALICE, 7));
		deliverAfter(MINUTE);
		assertThat(this.delivery.pending()).isEqualTo(3);
		List<String> failed = ids();
		this.received.clear();
		this.failing = false;
		deliverAfter(Duration.ofSeconds(5));
		assertThat(ids()).hasSize(3).containsAll(failed);
		assertThat(spent()).containsExactlyInAnyOrder(tuple("api", ALICE, 3L, 1L), tuple("api", BOB, 1L, 1L),
				tuple("api", ALICE, 7L, 1L));
		assertThat(this.delivery.pending()).isZero();
		assertThat(this.delivery.lost()).isZero();
	}

	@Test
	void hasAnIdentifierForEachRecordOfEachInstance() {
		Set<String> ids = new HashSet<>();
		for (int instance = 0; instance < 3; instance++) {
			this.delivery = delivery(100_000, true);
			this.listener = listener(MINUTE, 1000);
			acquire(charge("api", ALICE, 1), charge("api", BOB, 1));
			this.listener.deliverAll();
			acquire(charge("api", ALICE, 1));
			this.listener.deliverAll();
			ids.addAll(ids());
		}
		assertThat(ids).hasSize(9);
	}

	@Test
	void losesTheOldestRecordsBeyondTheMostThatWait() {
		this.delivery = delivery(4, true);
		this.listener = listener(MINUTE, 1000);
		this.failing = true;
		for (int interval = 0; interval < 3; interval++) {
			acquire(charge("api", ALICE, interval + 1), charge("api", BOB, interval + 1));
			deliverAfter(MINUTE);
		}
		assertThat(this.delivery.pending()).isEqualTo(4);
		assertThat(this.delivery.lost()).isEqualTo(2);
		this.received.clear();
		this.failing = false;
		deliverAfter(MINUTE);
		assertThat(this.received).extracting(ConsumptionRecord::permits).containsExactly(2L, 2L, 3L, 3L);
	}

	@Test
	void losesTheOldestIntervalsWhileADeliveryTakesVeryLong() {
		List<Long> pending = new ArrayList<>();
		this.delivery = new ConsumptionDelivery(() -> (records) -> {
			receive(records);
			for (int interval = 0; interval < 5 && this.received.size() == 1; interval++) {
				this.now = this.now.plus(MINUTE);
				acquire(charge("api", ALICE, 0), charge("api", BOB, 0));
				pending.add((long) this.delivery.pending());
			}
		}, 5, true);
		this.listener = listener(MINUTE, 1000);
		acquire(charge("api", ALICE, 1));
		deliverAfter(MINUTE);
		assertThat(pending).containsExactly(1L, 3L, 5L, 5L, 5L);
		assertThat(this.delivery.lost()).isEqualTo(4);
	}

	@Test
	void losesNothingOfABusyIntervalThatTheSinkTakes() {
		this.delivery = delivery(1, true);
		this.listener = listener(MINUTE, 10_000);
		IntStream.range(0, 1201).forEach((key) -> acquire(charge("api", "principal:" + key, 1)));
		deliverAfter(MINUTE);
		assertThat(this.batches).containsExactly(500, 500, 201);
		assertThat(ids()).hasSize(1201).doesNotHaveDuplicates();
		assertThat(this.delivery.lost()).isZero();
	}

	@Test
	void deliversTheCurrentIntervalAtTheEnd() {
		acquire(charge("api", ALICE, 3));
		this.listener.deliverAll();
		assertThat(spent()).containsExactly(tuple("api", ALICE, 3L, 1L));
		this.listener.close();
		assertThat(this.delivery.lost()).isZero();
	}

	@Test
	void reportsWhatWasNotDeliveredBeforeTheEnd() {
		acquire(charge("api", ALICE, 3));
		this.failing = true;
		this.listener.deliverAll();
		acquire(charge("api", BOB, 3));
		this.listener.close();
		assertThat(this.delivery.lost()).isEqualTo(2);
		assertThat(this.delivery.pending()).isZero();
	}

	@Test
	void deliversAgainAfterAnErrorOfTheSink() {
		acquire(charge("api", ALICE, 3));
		this.error = new NoClassDefFoundError("a/Driver");
		deliverAfter(MINUTE);
		assertThat(this.delivery.pending()).isOne();
		this.error = null;
		deliverAfter(Duration.ofSeconds(5));
		assertThat(this.delivery.pending()).isZero();
	}

	private void deliverAfter(Duration time) {
		this.now = this.now.plus(time);
		this.listener.deliver();
	}

	private void acquire(Charge... charges) {
		limiter().acquire(List.of(charges));
	}

	private RateLimiter limiter() {
		return new RateLimiter(this.policies, this.store, List.of(this.listener));
	}

	private List<String> ids() {
		return this.received.stream().map(ConsumptionRecord::id).toList();
	}

	private List<Tuple> spent() {
		return this.received.stream()
			.map((record) -> tuple(record.policy(), record.key(), record.permits(), record.calls()))
			.toList();
	}

	private void receive(List<ConsumptionRecord> records) {
		this.batches.add(records.size());
		this.received.addAll(records);
		if (this.failing) {
			throw new IllegalStateException("away");
		}
		if (this.error != null) {
			throw this.error;
		}
	}

	private ConsumptionDelivery delivery(int maxPending, boolean showKeys) {
		return new ConsumptionDelivery(() -> this::receive, maxPending, showKeys);
	}

	private ConsumptionListener listener(Duration interval, int maxKeys) {
		return new ConsumptionListener(this.policies, this.delivery, interval, maxKeys, () -> this.now);
	}

	private static Charge charge(String policy, String key, long cost) {
		return new Charge(policy, key, cost);
	}

	private static Policy policy(String name) {
		return new Policy(name, List.of(Limit.parse("10/1h", Algorithm.TOKEN_BUCKET)), List.of("global"));
	}

}
