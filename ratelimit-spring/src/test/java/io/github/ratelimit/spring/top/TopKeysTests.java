package io.github.ratelimit.spring.top;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.spring.ForkedHeap;
import io.github.ratelimit.spring.top.TopList.Entry;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class TopKeysTests {

	private static final Logger LOGGER = LoggerFactory.getLogger(TopKeysTests.class);

	private static final String ALICE = "principal:alice";

	private static final EnforcementMode IN_SHADOW = EnforcementMode.SHADOW;

	private static final String BOB = "principal:bob";

	private final AtomicLong now = new AtomicLong();

	private final Map<String, String> published = new TreeMap<>();

	@Test
	void countsDenialsAndSpentPermits() {
		TopKeys top = top(true, List.of());
		call(top, ALICE, 2, 3, 3);
		call(top, BOB, 1);
		TopReport report = top.report("api");
		assertThat(report.denied()).isEqualTo(new TopList(2, 0, List.of(new Entry(ALICE, 2, 2))));
		assertThat(report.spent()).isEqualTo(new TopList(3, 0, List.of(new Entry(ALICE, 2, 2), new Entry(BOB, 1, 1))));
	}

	@Test
	@Timeout(20)
	void reportsWhatThisInstanceHasCountedWhileTheExchangeHangs() {
		CountDownLatch end = new CountDownLatch(1);
		TopKeys top = new TopKeys(new HangingExchange(end), true, this.now::get);
		call(top, ALICE, 2, 3, 3);
		for (int reader = 0; reader < 3; reader++) {
			TopReport report = Objects.requireNonNull(top.reports(List.of("api", "other")).get("api"));
			assertThat(report.complete()).isFalse();
			assertThat(report.denied().total()).isEqualTo(2);
		}
		end.countDown();
		Awaitility.await().until(() -> top.report("api").complete());
	}

	@Test
	void countsDenialsInShadow() {
		TopKeys top = top(true, List.of());
		call(IN_SHADOW, top, ALICE, 2, 3, 3);
		call(IN_SHADOW, top, BOB, 1);
		TopReport report = top.report("api");
		assertThat(report.denied().total()).isZero();
		assertThat(report.shadowDenied()).isEqualTo(new TopList(2, 0, List.of(new Entry(ALICE, 2, 2))));
		assertThat(top.find("api", KeyDigest.inPlaceOf(ALICE))).contains(ALICE);
		assertThat(top(false, List.of()).report("api").shadowDenied().entries()).isEmpty();
	}

	@Test
	void addsDenialsInShadowThatOtherInstancesPublish() {
		TopKeys other = top(false, List.of());
		call(IN_SHADOW, other, ALICE, 3, 1);
		other.publish();
		TopKeys top = top(false, this.published.values());
		call(IN_SHADOW, top, ALICE, 3, 1, 1);
		String digest = KeyDigest.inPlaceOf(ALICE);
		assertThat(top.report("api").shadowDenied().entries()).containsExactly(new Entry(digest, 3, 3));
		assertThat(top.report("api").spent().entries()).containsExactly(new Entry(digest, 9, 9));
		this.now.addAndGet(PolicyTop.PERIOD.toNanos());
		assertThat(top.report("api").shadowDenied().entries()).containsExactly(new Entry(digest, 3, 3));
	}

	@Test
	void publishesWhatEarlierReleasesReadUnlessThereIsAShadow() {
		TopKeys top = top(true, List.of());
		call(top, ALICE, 3);
		top.publish();
		assertThat(this.published).containsValue("1 0 0 0 0 3 0 1 principal%3Aalice 3 3");
	}

	@Test
	void showsDigestsUnlessKeysMayBeShown() {
		TopKeys top = top(false, List.of());
		call(top, ALICE, 1);
		Entry entry = top.report("api").spent().entries().get(0);
		assertThat(entry.key()).matches("digest:[0-9a-f]{16}");
		assertThat(top.find("api", entry.key())).contains(ALICE);
		assertThat(top.find("api", ALICE)).contains(ALICE);
		assertThat(top.find("api", BOB)).isEmpty();
		assertThat(top.find("api", "digest:0000000000000000")).isEmpty();
		assertThat(top.find("other", entry.key())).isEmpty();
	}

	@Test
	void addsUpAKeyThatIsTheDigestOfAnother() {
		TopKeys top = top(false, List.of());
		String digest = KeyDigest.inPlaceOf(ALICE);
		call(top, ALICE, 1);
		call(top, digest, 2);
		assertThat(top.report("api").spent().entries()).containsExactly(new Entry(digest, 3, 3));
		assertThat(top.report("api").spent().total()).isEqualTo(3);
	}

	@Test
	void keepsNoLongKey() {
		TopKeys top = top(true, List.of());
		String longKey = "header:x:" + "k".repeat(8000);
		call(top, longKey, 1);
		assertThat(top.report("api").spent().entries()).extracting(Entry::key)
			.containsExactly(KeyDigest.inPlaceOf(longKey));
		assertThat(top.find("api", KeyDigest.inPlaceOf(longKey))).isEmpty();
	}

	@Test
	void forgetsWhatIsTwoPeriodsOld() {
		TopKeys top = top(true, List.of());
		call(top, ALICE, 1);
		this.now.addAndGet(PolicyTop.PERIOD.toNanos());
		call(top, BOB, 2);
		assertThat(top.report("api").seconds()).isEqualTo(PolicyTop.PERIOD.toSeconds());
		assertThat(top.report("api").spent().entries()).extracting(Entry::key).containsExactly(BOB, ALICE);
		this.now.addAndGet(PolicyTop.PERIOD.toNanos());
		assertThat(top.report("api").spent().entries()).extracting(Entry::key).containsExactly(BOB);
		this.now.addAndGet(2 * PolicyTop.PERIOD.toNanos());
		assertThat(top.report("api").spent().entries()).isEmpty();
	}

	@Test
	void takesUpNoMoreMemoryThanStated() throws Exception {
		long bytes = ForkedHeap.measuredBy(TopMemory.class);
		LOGGER.info("The top keys of a policy take up to {} bytes", bytes);
		assertThat(bytes).isBetween(10_000L, 96 * 1024L);
	}

	@Test
	void addsWhatOtherInstancesPublish() {
		TopKeys other = top(true, List.of());
		call(other, ALICE, 3);
		call(other, "principal:ein Zeichen & mehr\n", 1);
		other.publish();
		TopKeys top = top(true, this.published.values());
		call(top, ALICE, 2);
		assertThat(top.report("api").spent().entries()).containsExactly(new Entry(ALICE, 5, 5),
				new Entry("principal:ein Zeichen & mehr\n", 1, 1));
	}

	@Test
	void publishesNothingWithoutCalls() {
		TopKeys top = top(true, List.of());
		top.report("api");
		top.publish();
		assertThat(this.published).isEmpty();
	}

	@Test
	void publishesTheSameForAMinuteIfNothingIsCounted() {
		TopKeys top = top(true, List.of());
		call(top, ALICE, 1);
		top.publish();
		Map<String, String> before = Map.copyOf(this.published);
		this.now.addAndGet(Duration.ofSeconds(59).toNanos());
		top.publish();
		assertThat(this.published).isEqualTo(before);
		this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		top.publish();
		assertThat(this.published).isNotEqualTo(before).hasSize(1);
		call(top, ALICE, 1);
		top.publish();
		assertThat(this.published.get("api")).endsWith(" 2 2");
	}

	@Test
	void showsItsOwnIfAnotherVersionPublishes() {
		TopKeys top = top(true, List.of("2 something else"));
		call(top, ALICE, 1);
		assertThat(top.report("api").spent().entries()).containsExactly(new Entry(ALICE, 1, 1));
	}

	/** Makes calls of given costs on a limit of three permits an hour. */
	private void call(TopKeys top, String key, long... costs) {
		call(EnforcementMode.ENFORCE, top, key, costs);
	}

	private void call(EnforcementMode mode, TopKeys top, String key, long... costs) {
		Policy policy = new Policy("api", List.of(Limit.parse("3/1h", Algorithm.FIXED_WINDOW)), List.of("global"))
			.withMode(mode, List.of());
		RateLimiter limiter = new RateLimiter(new Policies(List.of(policy)), new MemoryRateLimitStore(10),
				List.of(top));
		for (long cost : costs) {
			limiter.acquire(new Charge("api", key, cost));
		}
	}

	private TopKeys top(boolean showKeys, Collection<String> others) {
		return new TopKeys(new TopExchange() {

			@Override
			public void publish(Map<String, String> reports) {
				TopKeysTests.this.published.putAll(reports);
			}

			@Override
			public Collection<String> others(String policy) {
				return others;
			}

		}, showKeys, this.now::get);
	}

	/** An exchange that hangs until a latch opens. */
	private record HangingExchange(CountDownLatch end) implements TopExchange {

		@Override
		public void publish(Map<String, String> reports) {
		}

		@Override
		public Collection<String> others(String policy) {
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return List.of();
		}

	}

}
