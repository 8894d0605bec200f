package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Decision;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.LimitDecision;
import io.github.ratelimit.store.Clause;
import io.github.ratelimit.store.Debit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DenialsTests {

	private static final long TIME = 1_790_000_000_000_000L;

	private static final Clause CLAUSE = clause("10/1s");

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final Denials denials = denials(64);

	@Test
	void deniesUntilTheCallWouldBeAdmittedIfRedisDecidedWhenItWasAsked() {
		long asked = this.clock.get();
		this.clock.addAndGet(40_000);
		this.denials.learn(debits("alice", 1), denial(100), asked, 0);
		this.clock.set(asked + 99_999);
		assertThat(this.denials.known(debits("alice", 1))).isNotNull();
		this.clock.set(asked + 100_000);
		assertThat(this.denials.known(debits("alice", 1))).isNull();
	}

	@Test
	void tellsToWaitAsIfRedisDecidedWhenItAnswered() {
		long asked = this.clock.get();
		this.clock.addAndGet(40_000);
		this.denials.learn(debits("alice", 1), denial(100), asked, 0);
		this.clock.addAndGet(30_000);
		assertThat(this.denials.known(debits("alice", 1)))
			.isEqualTo(Decision.of(TIME + 30, List.of(new LimitDecision("quotes", CLAUSE.limit(), 3, 70, 170))));
	}

	@Test
	void remembersNoDenialForLongerThanTold() {
		this.denials.learn(debits("alice", 1), denial(10_000_000), this.clock.get(), 0);
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
		assertThat(this.denials.known(debits("alice", 1))).isNotNull();
		this.clock.addAndGet(1);
		assertThat(this.denials.known(debits("alice", 1))).isNull();
	}

	@Test
	void tellsNothingOfOtherCosts() {
		this.denials.learn(debits("alice", 5), denial(100), this.clock.get(), 0);
		assertThat(this.denials.known(debits("alice", 4))).isNull();
		assertThat(this.denials.known(debits("alice", 6))).isNull();
		assertThat(this.denials.known(debits("alice", 5))).isNotNull();
	}

	@Test
	void tellsNothingOfOtherKeysAndLimits() {
		this.denials.learn(debits("alice", 1), denial(100), this.clock.get(), 0);
		assertThat(this.denials.known(debits("bob", 1))).isNull();
		assertThat(this.denials.known(List.of(new Debit(clause("20/1s"), "alice", 1, 0)))).isNull();
	}

	@Test
	void tellsNothingOfCallsThatWait() {
		this.denials.learn(debits("alice", 1), denial(100), this.clock.get(), 0);
		assertThat(this.denials.known(List.of(new Debit(CLAUSE, "alice", 1, 50)))).isNull();
		this.denials.learn(List.of(new Debit(CLAUSE, "bob", 1, 50)), denial(100), this.clock.get(), 0);
		assertThat(this.denials.known(List.of(new Debit(CLAUSE, "bob", 1, 50)))).isNull();
	}

	@Test
	void remembersNothingOfCallsThatAreAdmitted() {
		this.denials.learn(debits("alice", 1), denial(0), this.clock.get(), 0);
		assertThat(this.denials.known(debits("alice", 1))).isNull();
	}

	@Test
	void forgetsWhatIsGivenBack() {
		this.denials.learn(debits("alice", 1), denial(100), this.clock.get(), 0);
		this.denials.forget(debits("alice", 7));
		assertThat(this.denials.known(debits("alice", 1))).isNull();
	}

	@Test
	void remembersNoDenialThatRedisWasAskedForBeforeSomethingWasGivenBack() {
		long before = this.denials.epoch();
		this.denials.forget(debits("alice", 1));
		this.denials.learn(debits("alice", 1), denial(100), this.clock.get(), before);
		assertThat(this.denials.known(debits("alice", 1))).isNull();
	}

	@Test
	void remembersNoMoreThanItHasPlaces() {
		for (int caller = 0; caller < 10_000; caller++) {
			this.denials.learn(debits("caller-" + caller, 1), denial(100), this.clock.get(), 0);
		}
		int known = 0;
		for (int caller = 0; caller < 10_000; caller++) {
			known += (this.denials.known(debits("caller-" + caller, 1)) != null) ? 1 : 0;
		}
		assertThat(known).isBetween(1, 64);
	}

	@Test
	void remembersNothingWithoutPlaces() {
		Denials none = denials(0);
		none.learn(debits("alice", 1), denial(100), this.clock.get(), 0);
		none.forget(debits("alice", 1));
		assertThat(none.known(debits("alice", 1))).isNull();
	}

	private Denials denials(int max) {
		return new Denials(new Shortcuts(true, max, Duration.ofSeconds(1)), this.clock::get);
	}

	private static List<Debit> debits(String key, long cost) {
		return List.of(new Debit(CLAUSE, key, cost, 0));
	}

	private static Clause clause(String rate) {
		return new Clause("quotes", "quotes", 0, Limit.parse(rate, Algorithm.TOKEN_BUCKET), 0);
	}

	private static Decision denial(long retryAfter) {
		return Decision.of(TIME, List.of(new LimitDecision("quotes", CLAUSE.limit(), 3, retryAfter, 200)));
	}

}
