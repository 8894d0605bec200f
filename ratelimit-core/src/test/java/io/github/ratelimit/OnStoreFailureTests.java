package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.Terms.MaxCost;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.MemoryRateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OnStoreFailureTests {

	private static final long SECOND = 1_000_000;

	private final AtomicLong clock = new AtomicLong(1_790_000_000_000_000L);

	private final Policies policies = new Policies(
			List.of(policy("allow", OnStoreFailure.ALLOW, 100), policy("deny", OnStoreFailure.DENY, 100),
					policy("local", OnStoreFailure.LOCAL, 100), policy("half", OnStoreFailure.LOCAL, 50)));

	private final BreakableStore store = new BreakableStore(this.clock::get);

	private final RecordingListener listener = new RecordingListener();

	private final RecordedPause pause = new RecordedPause();

	private final RateLimiter limiter = new RateLimiter(this.policies,
			new Decisions(this.policies, this.store,
					new Fallback(this.policies, new MemoryRateLimitStore(1000, this.clock::get)),
					List.of(this.listener), LimitOverrides.NONE),
			new Turns(this.policies, this.listener, this.pause));

	@Test
	void decidesByTheStoreWhileItDecides() {
		assertThat(admitted("local")).isEqualTo(10);
		assertThat(admitted("allow")).isEqualTo(10);
		assertThat(this.listener.heard).hasSize(22).doesNotContain("nothing");
	}

	@Test
	void allowsAndTellsOfNoLimits() {
		this.store.broken = true;
		for (Way way : Way.values()) {
			Decision decision = way.hold(this.limiter, List.of(new Charge("allow", "a", 10))).decision();
			assertThat(decision.allowed()).isTrue();
			assertThat(decision.limits()).isEmpty();
			assertThat(decision.storeTimeMicros()).isEqualTo(this.clock.get());
		}
		assertThat(this.listener.heard).containsExactly("[]", "[]");
	}

	@ParameterizedTest
	@EnumSource
	void failsWhereOnePolicyDenies(Way way) {
		this.store.broken = true;
		List<Charge> charges = List.of(Charge.of("local", "a"), Charge.of("deny", "a"), Charge.of("allow", "a"));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> way.hold(this.limiter, charges));
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> way.peek(this.limiter, charges));
		assertThat(this.listener.heard).containsExactly("nothing");
		assertThat(admitted("local")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void decidesLocallyByAShare(Way way) {
		this.store.broken = true;
		List<Charge> charges = List.of(Charge.of("half", "a"));
		assertThat(IntStream.range(0, 12).filter((call) -> way.hold(this.limiter, charges).decision().allowed()))
			.hasSize(5);
		Decision denied = way.peek(this.limiter, charges);
		assertThat(denied.retryAfterMicros()).isEqualTo(SECOND / 5);
		assertThat(denied.limits()).singleElement().extracting(LimitDecision::limit).hasToString("5/1s");
	}

	@Test
	void decidesLocallyOnAllOrNothing() {
		this.store.broken = true;
		this.limiter.acquire(new Charge("half", "a", 5));
		List<Charge> charges = List.of(Charge.of("local", "a"), Charge.of("half", "a"), Charge.of("allow", "a"));
		Decision denied = this.limiter.acquire(charges);
		assertThat(denied.allowed()).isFalse();
		assertThat(denied.limits()).extracting(LimitDecision::policy).containsExactly("local", "half");
		assertThat(admitted("local")).isEqualTo(10);
	}

	@Test
	void movesNothingThatWasCountedLocallyToTheStore() {
		this.store.broken = true;
		assertThat(admitted("local")).isEqualTo(10);
		this.store.broken = false;
		assertThat(admitted("local")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void givesBackAndSettlesWhereItWasCharged(Way way) {
		this.store.broken = true;
		Hold givenBack = way.hold(this.limiter, List.of(new Charge("half", "a", 3), Charge.of("allow", "a")));
		Hold settled = way.hold(this.limiter, List.of(Charge.of("half", "a")));
		this.store.broken = false;
		way.settle(this.limiter, givenBack, 0);
		way.settle(this.limiter, settled, 2);
		assertThat(remaining("half")).isEqualTo(10);
		assertThat(remaining("allow")).isEqualTo(10);
		this.store.broken = true;
		assertThat(remaining("half")).isEqualTo(3);
	}

	@ParameterizedTest
	@EnumSource
	void givesBackNothingOfACallThatWasLetThrough(Way way) {
		this.store.broken = true;
		Hold hold = way.hold(this.limiter, List.of(Charge.of("allow", "a")));
		way.settle(this.limiter, hold, 5);
		this.store.broken = false;
		assertThat(remaining("allow")).isEqualTo(10);
	}

	@ParameterizedTest
	@EnumSource
	void leavesChargedWhatTheStoreFailsToGiveBack(Way way) {
		Hold hold = way.hold(this.limiter, List.of(Charge.of("allow", "a"), Charge.of("local", "a")));
		Hold strict = way.hold(this.limiter, List.of(Charge.of("allow", "a"), Charge.of("deny", "a")));
		this.store.broken = true;
		way.settle(this.limiter, hold, 0);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> way.settle(this.limiter, strict, 0));
		this.store.broken = false;
		assertThat(remaining("allow")).isEqualTo(8);
		assertThat(remaining("local")).isEqualTo(9);
	}

	@Test
	void resetsWhatIsCountedLocallyAndTellsThatTheStoreFailed() {
		this.store.broken = true;
		assertThat(admitted("local")).isEqualTo(10);
		assertThatExceptionOfType(RateLimitStoreException.class).isThrownBy(() -> this.limiter.reset("local", "a"));
		assertThat(this.limiter.resetAsync("local", "a")).isCompletedExceptionally();
		assertThat(admitted("local")).isEqualTo(10);
	}

	@Test
	void admitsWhatCostsMoreThanTheShareWhenNothingIsSpentAndOwesTheRest() {
		this.store.broken = true;
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).allowed()).isTrue();
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).retryAfterMicros()).isEqualTo(2 * SECOND);
		this.clock.addAndGet(SECOND);
		assertThat(this.limiter.acquire(Charge.of("half", "a")).allowed()).isFalse();
		this.clock.addAndGet(SECOND);
		assertThat(this.limiter.acquire(new Charge("half", "a", 10)).allowed()).isTrue();
		assertThat(this.limiter.peek(List.of(new Charge("half", "b", 10))).allowed()).isTrue();
		assertThat(remaining("half", "b")).isEqualTo(5);
	}

	@Test
	void refusesLocallyWhatTheWholeLimitCanNeverAdmit() {
		this.store.broken = true;
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> this.limiter.acquire(new Charge("half", "a", 11)));
	}

	@Test
	void waitsInTheLineOfThisInstance() {
		replace("local", "10/1s leaky-bucket", Terms.STANDARD.withMaxWait(Duration.ofSeconds(1)));
		this.store.broken = true;
		this.limiter.acquire(Charge.of("local", "a"));
		assertThat(this.limiter.acquire(Charge.of("local", "a")).waitMicros()).isEqualTo(SECOND / 5);
		assertThat(this.pause.slept).containsExactly(SECOND / 5);
	}

	@Test
	void chargesLocallyWhatThePolicyChargesForACost() {
		replace("local", "10/1s", Terms.STANDARD.withMaxCost(new MaxCost(2, true)));
		this.store.broken = true;
		this.limiter.acquire(new Charge("local", "a", 9));
		assertThat(remaining("local")).isEqualTo(3);
	}

	@Test
	void leavesTheReserveLocally() {
		replace("local", "10/1s", Terms.STANDARD.sharing("plain", 40));
		this.store.broken = true;
		assertThat(admitted("local")).isEqualTo(3);
		replace("local", "2/1s", Terms.STANDARD.sharing("other", 50));
		assertThat(admitted("local")).isOne();
	}

	@Test
	void refusesAShareThatIsNoPart() {
		assertThatIllegalArgumentException().isThrownBy(() -> Terms.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, 0))
			.withMessage("a local share is 1 to 100 percent, was 0");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Terms.STANDARD.withStoreFailure(OnStoreFailure.LOCAL, 101))
			.withMessage("a local share is 1 to 100 percent, was 101");
	}

	private void replace(String name, String limit, Terms terms) {
		this.policies.replace(new Policy(name, List.of(Limit.parse(limit, Algorithm.TOKEN_BUCKET)), List.of("global"))
			.withTerms(terms.withStoreFailure(OnStoreFailure.LOCAL, 50)));
	}

	private long admitted(String policy) {
		return IntStream.range(0, 11).filter((call) -> this.limiter.acquire(Charge.of(policy, "a")).allowed()).count();
	}

	private long remaining(String policy) {
		return remaining(policy, "a");
	}

	private long remaining(String policy, String key) {
		return this.limiter.peek(List.of(new Charge(policy, key, 0))).limits().get(0).remaining();
	}

	private static Policy policy(String name, OnStoreFailure mode, int share) {
		Limit limit = Limit.parse("10/1s", Algorithm.TOKEN_BUCKET);
		return new Policy(name, List.of(limit), List.of("global"))
			.withTerms(Terms.STANDARD.withStoreFailure(mode, share));
	}

	private static final class RecordingListener implements RateLimitListener {

		private final List<String> heard = new ArrayList<>();

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.heard.add(decision.allowed() ? "allowed" : "denied");
		}

		@Override
		public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
				long elapsedNanos) {
			this.heard.add((instead != null) ? instead.limits().toString() : "nothing");
		}

	}

}
