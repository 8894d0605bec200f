package io.github.ratelimit.store.memory;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.AnyLimit;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.store.PermitRequest;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MemoryRateLimitStoreTests {

	private static final Limit LIMIT = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("2/1s"));

	private static final Limit TEN = Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("10/1h"));

	private static final Limit LOG = Limit.of(Algorithm.SLIDING_WINDOW_LOG, Rate.parse("1000/1h"));

	@Test
	void keepsALongKeyApartFromItsDigest() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(10, () -> 1_000_000);
		String key = "x".repeat(64);
		List<Limit> limits = List.of(Limit.parse("1/1h", Algorithm.TOKEN_BUCKET));
		for (String caller : List.of(key, ShortKey.of(key))) {
			assertThat(
					store.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of("p", limits, caller, 1)))
						.allowed())
				.isTrue();
		}
	}

	@Test
	void dropsCountsThatHaveRunOut() {
		AtomicLong clock = new AtomicLong(1_000_000);
		MemoryRateLimitStore store = new MemoryRateLimitStore(1_000_000, clock::get);
		for (int key = 0; key < 10_000; key++) {
			acquire(store, "key-" + key);
			clock.addAndGet(10_000);
		}
		assertThat(store.size()).isLessThan(200);
	}

	@Test
	void keepsCountsThatHaveNotRunOut() {
		AtomicLong clock = new AtomicLong(1_000_000);
		MemoryRateLimitStore store = new MemoryRateLimitStore(1_000_000, clock::get);
		List<PermitRequest> hourly = PermitRequests.of("p",
				List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("1/1h"))), "a", 1);
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, hourly)).allowed()).isTrue();
		clock.addAndGet(3_599_999_999L);
		for (int key = 0; key < 100; key++) {
			acquire(store, "key-" + key);
		}
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, hourly)).allowed()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void makesNoRoomForWhatIsOnlyPeekedAt(int maxKeys) {
		MemoryRateLimitStore store = new MemoryRateLimitStore(maxKeys, () -> 1_000_000);
		List<PermitRequest> spent = PermitRequests.of("p", List.of(TEN), "a", 3);
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, spent)).allowed()).isTrue();
		for (String key : List.of("b", "c", "d")) {
			StoreRequest peek = new StoreRequest(StoreOperation.PEEK, PermitRequests.of("p", List.of(TEN), key, 1));
			assertThat(store.execute(peek).limits().get(0).remaining()).isEqualTo(10);
		}
		assertThat(store.size()).isOne();
		assertThat(store.dropped()).isZero();
		assertThat(store.shared()).isZero();
		assertThat(store.execute(new StoreRequest(StoreOperation.PEEK, spent)).limits().get(0).remaining())
			.isEqualTo(7);
	}

	@Test
	void peeksAtTheSharedCountThatACallWouldCharge() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(1, () -> 1_000_000);
		for (String key : List.of("a", "b")) {
			store.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of("p", List.of(TEN), key, 8)));
		}
		assertThat(store.shared()).isOne();
		StoreRequest peek = new StoreRequest(StoreOperation.PEEK, PermitRequests.of("p", List.of(TEN), "b", 1));
		assertThat(store.execute(peek).limits().get(0).remaining()).isEqualTo(2);
		assertThat(store.shared()).isOne();
	}

	@Test
	@Timeout(10)
	void staysQuickUnderAFloodOfKeysWithOneHash() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100_000, () -> 1_000_000);
		for (int number = 0; number < 1 << 15; number++) {
			String bits = Integer.toBinaryString(1 << 15 | number);
			acquire(store, bits.replace("0", "Aa").replace("1", "BB"));
		}
		assertThat(store.size()).isEqualTo(1 << 15);
	}

	@Test
	void keepsNoLongKey() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		WeakReference<String> key = acquireWithALongKey(store);
		for (int tries = 0; tries < 100 && key.get() != null; tries++) {
			System.gc();
		}
		assertThat(key.get()).isNull();
		assertThat(store.size()).isOne();
	}

	@Test
	void staysBoundedUnderAFloodOfKeys() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		for (int key = 0; key < 100_000; key++) {
			acquire(store, "key-" + key);
		}
		assertThat(store.size()).isLessThanOrEqualTo(100 + 1024);
	}

	@Test
	void remembersAHeavyCallerDuringAFloodOfKeys() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		acquire(store, "heavy");
		acquire(store, "heavy");
		for (int key = 0; key < 10_000; key++) {
			acquire(store, "key-" + key);
		}
		assertThat(acquire(store, "heavy")).isFalse();
	}

	@Test
	void admitsNewCallersDuringAFloodOfKeysThatSpendLittle() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, () -> 1_000_000);
		for (int key = 0; key < 100_000; key++) {
			assertThat(acquire(store, TEN, "key-" + key)).isTrue();
		}
		assertThat(store.size()).isEqualTo(100);
		assertThat(store.dropped()).isEqualTo(100_000 - 100);
		assertThat(store.shared()).isZero();
	}

	@Test
	void keepsExpiredCountsForASecondWhereThereIsRoom() {
		AtomicLong clock = new AtomicLong();
		MemoryRateLimitStore store = new MemoryRateLimitStore(4, clock::get);
		acquire(store, TEN, "a");
		clock.addAndGet(TimeUnit.MINUTES.toMicros(6));
		acquire(store, TEN, "b");
		assertThat(store.size()).isEqualTo(2);
		clock.addAndGet(TimeUnit.SECONDS.toMicros(1));
		acquire(store, TEN, "c");
		assertThat(store.size()).isEqualTo(2);
	}

	@Test
	void dropsExpiredCountsAtOnceWhereThereIsNoRoom() {
		AtomicLong clock = new AtomicLong();
		MemoryRateLimitStore store = new MemoryRateLimitStore(2, clock::get);
		IntStream.range(0, 10).forEach((call) -> acquire(store, TEN, "a"));
		IntStream.range(0, 10).forEach((call) -> acquire(store, TEN, "b"));
		clock.addAndGet(TimeUnit.HOURS.toMicros(1));
		acquire(store, TEN, "c");
		assertThat(store.size()).isOne();
		assertThat(store.shared()).isZero();
		assertThat(store.dropped()).isZero();
	}

	@Test
	void evictsThoseWhoSpentLeastAndNoneWhoSpentHalf() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(16, () -> 1_000_000);
		IntStream.range(0, 5).forEach((call) -> acquire(store, TEN, "half"));
		IntStream.range(0, 3).forEach((call) -> acquire(store, TEN, "some"));
		IntStream.range(0, 1000).forEach((key) -> acquire(store, TEN, "key-" + key));
		assertThat(IntStream.range(0, 10).filter((call) -> acquire(store, TEN, "some"))).hasSize(7);
		assertThat(IntStream.range(0, 10).filter((call) -> acquire(store, TEN, "half"))).hasSize(5);
	}

	@Test
	void evictsNoneWhosePermitsCallsHold() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(16, () -> 1_000_000);
		Limit concurrency = Limit.parse("10 concurrent", Algorithm.TOKEN_BUCKET);
		acquire(store, concurrency, "held");
		IntStream.range(0, 1000).forEach((key) -> acquire(store, TEN, "key-" + key));
		assertThat(IntStream.range(0, 10).filter((call) -> acquire(store, concurrency, "held"))).hasSize(9);
	}

	@Test
	void letsKeysShareOnceAllHaveSpentHalf() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(16, () -> 1_000_000);
		for (int key = 0; key < 16; key++) {
			String name = "half-" + key;
			IntStream.range(0, 5).forEach((call) -> acquire(store, TEN, name));
		}
		assertThat(acquire(store, TEN, "new")).isTrue();
		assertThat(store.dropped()).isZero();
		assertThat(store.shared()).isOne();
		assertThat(IntStream.range(0, 16)).allMatch(
				(key) -> IntStream.range(0, 10).filter((call) -> acquire(store, TEN, "half-" + key)).count() == 5);
	}

	@Test
	void admitsNewCallersOnceAFloodIsOver() {
		AtomicLong clock = new AtomicLong(1_000_000);
		MemoryRateLimitStore store = new MemoryRateLimitStore(100, clock::get);
		for (int key = 0; key < 10_000; key++) {
			acquire(store, "key-" + key);
		}
		clock.addAndGet(1_000_000);
		assertThat(IntStream.range(0, 100).filter((key) -> acquire(store, "new-" + key)).count()).isGreaterThan(98);
		clock.addAndGet(1_000_000);
		assertThat(IntStream.range(0, 100)).allMatch((key) -> acquire(store, "newer-" + key));
	}

	@Test
	void chargesOneCountTwiceWhereTwoKeysOfACallShareIt() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(1, () -> 1_000_000);
		acquire(store, "fills the store");
		// Both hash to the same shared count: "Aa" and "BB" have equal hash codes.
		List<PermitRequest> permits = PermitRequests.and(PermitRequests.of("p", List.of(LIMIT), "Aa", 1),
				PermitRequests.of("p", List.of(LIMIT), "BB", 1));
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()).isTrue();
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()).isFalse();
		assertThat(acquire(store, "Aa")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void deniesWhatTwoKeysOfACallAskOfOneSharedCountBeyondItsBurst(Algorithm algorithm) {
		MemoryRateLimitStore store = new MemoryRateLimitStore(1, () -> 1_000_000);
		acquire(store, "fills the store");
		Limit limit = AnyLimit.of(algorithm, "2/1s");
		List<PermitRequest> permits = PermitRequests.and(PermitRequests.of("p", List.of(limit), "Aa", limit.burst()),
				PermitRequests.of("p", List.of(limit), "BB", limit.burst()));
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits)).allowed()).isFalse();
		assertThat(store.execute(new StoreRequest(StoreOperation.ACQUIRE, permits.subList(0, 1))).allowed()).isTrue();
	}

	@Test
	void countsByTheWallClockWithoutItsSteps() {
		MemoryRateLimitStore store = new MemoryRateLimitStore(1);
		long now = System.currentTimeMillis();
		long storeTime = store
			.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of("p", List.of(LIMIT), "a", 1)))
			.storeTimeMicros() / 1000;
		assertThat(storeTime).isBetween(now - 60_000, now + 60_000);
	}

	@Test
	void staysWithinItsMemoryAndLocksNoKeyOutWhateverLogsContain() {
		AtomicLong clock = new AtomicLong();
		MemoryRateLimitStore store = new MemoryRateLimitStore(1000, 320_000, clock::incrementAndGet);
		for (int key = 0; key < 1000; key++) {
			String name = "key-" + key;
			assertThat(IntStream.range(0, 1000)).allMatch((call) -> acquire(store, LOG, name));
			assertThat(store.logBytes()).isLessThanOrEqualTo(320_000);
		}
		assertThat(IntStream.range(0, 1000)).noneMatch((key) -> acquire(store, LOG, "key-" + key));
		assertThat(store.coarsened()).isGreaterThan(1000);
		assertThat(store.dropped()).isZero();
		assertThat(store.shared()).isZero();
		clock.addAndGet(TimeUnit.HOURS.toMicros(1));
		assertThat(IntStream.range(0, 1000)).allMatch((key) -> acquire(store, LOG, "key-" + key));
	}

	@Test
	void freesTheMemoryOfLogsThatHaveRunOut() {
		AtomicLong clock = new AtomicLong();
		MemoryRateLimitStore store = new MemoryRateLimitStore(1000, 320_000, clock::incrementAndGet);
		IntStream.range(0, 900).forEach((call) -> acquire(store, LOG, "a"));
		assertThat(store.logBytes()).isBetween(900 * 16L, 900 * 24L);
		clock.addAndGet(TimeUnit.HOURS.toMicros(1));
		acquire(store, LOG, "b");
		assertThat(store.logBytes()).isZero();
		IntStream.range(0, 900).forEach((call) -> acquire(store, LOG, "a"));
		clock.addAndGet(TimeUnit.HOURS.toMicros(1));
		acquire(store, LOG, "a");
		assertThat(store.logBytes()).isZero();
		assertThat(store.coarsened()).isZero();
	}

	@Test
	void refusesToKeepNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> new MemoryRateLimitStore(0))
			.withMessage("'maxKeys' must be at least 1, was 0");
		assertThatIllegalArgumentException().isThrownBy(() -> new MemoryRateLimitStore(1, 0))
			.withMessage("'maxLogBytes' must be at least 1, was 0");
	}

	private static boolean acquire(RateLimitStore store, String key) {
		return acquire(store, LIMIT, key);
	}

	private static boolean acquire(RateLimitStore store, Limit limit, String key) {
		return store.execute(new StoreRequest(StoreOperation.ACQUIRE, PermitRequests.of("p", List.of(limit), key, 1)))
			.allowed();
	}

	private static WeakReference<String> acquireWithALongKey(MemoryRateLimitStore store) {
		String key = "x".repeat(65_536);
		acquire(store, key);
		return new WeakReference<>(key);
	}

}
