package io.github.ratelimit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.decision.Settlement;
import io.github.ratelimit.detached.TokenTerms;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.Plan;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.policy.PolicyOptions.MaxCost;
import io.github.ratelimit.store.DetachedCharge;
import io.github.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The contract of reservations that are settled by their tokens, for every store: the
 * base of each store's test.
 */
public abstract class DetachedReservationContract {

	private static final long MINUTE = 60_000_000;

	private static final TokenTerms STAYING = TokenTerms.expiringAfter(Duration.ofMinutes(1));

	private static final TokenTerms REFUNDED = STAYING.refundingUnsettled();

	private final AtomicLong clock = new AtomicLong(1_790_035_200_000_000L);

	private final Policies policies = policies();

	/** The limiter that reserves. */
	private RateLimiter one;

	/** The limiter of another process, as far as the store can be shared. */
	private RateLimiter other;

	private RateLimitStore store;

	/**
	 * Creates a store on a clock.
	 * @param clock microseconds since 1970
	 * @return a store that shares its counts with others of this test, if it can, and
	 * with no other test, as their policies have the same names
	 */
	protected abstract RateLimitStore store(LongSupplier clock);

	@BeforeEach
	void start() {
		this.store = store(this.clock::get);
		this.one = new RateLimiter(this.policies, this.store, List.of());
		this.other = new RateLimiter(policies(), store(this.clock::get), List.of());
	}

	@AfterEach
	void stop() {
		this.one.close();
		this.other.close();
	}

	@Test
	void adjustsOnceInAllInstances() {
		String token = detach(STAYING, new Charge("plain", "a", 600));
		assertThat(this.other.adjust(token, 200)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("plain")).isEqualTo(800);
		assertThat(this.one.adjust(token, 0)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(this.other.refund(token)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(remaining("plain")).isEqualTo(800);
	}

	@Test
	void chargesMoreAndRefundsAllWithoutBlocking() {
		String more = join(this.one.detachAsync(reserve(new Charge("plain", "a", 100)), STAYING));
		assertThat(join(this.other.adjustAsync(more, 250))).isEqualTo(Settlement.SETTLED);
		String all = join(this.one.detachAsync(reserve(new Charge("plain", "a", 100)), STAYING));
		assertThat(join(this.other.refundAsync(all))).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("plain")).isEqualTo(750);
	}

	@Test
	void isNotSettledByTheReservationAnyMore() {
		Reservation reservation = reserve(new Charge("plain", "a", 600));
		String token = this.one.detach(reservation, STAYING);
		this.one.refund(reservation);
		assertThat(remaining("plain")).isEqualTo(400);
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.detach(reservation, STAYING))
			.withMessage("'reservation' must not have been adjusted, refunded or detached");
		assertThat(this.one.adjust(token, 600)).isEqualTo(Settlement.SETTLED);
	}

	@Test
	void detachesChargesOnTheirOwn() {
		Reservation reservation = reserve(new Charge("plain", "a", 100), new Charge("windows", "b", 100),
				new Charge("plain", "a", 50));
		String second = this.one.detach(reservation.perCharge().get(1), STAYING);
		String rest = this.one.detach(reservation, STAYING);
		assertThat(this.other.adjust(rest, 30)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("plain")).isEqualTo(1000 - 2 * 30);
		assertThat(this.other.refund(second)).isEqualTo(Settlement.SETTLED);
		assertThat(this.one.peek(List.of(new Charge("windows", "b", 0))).limits().get(0).remaining()).isEqualTo(1000);
	}

	@Test
	void settlesChargesOfSeveralKeysWithOneToken() {
		String token = detach(STAYING, new Charge("plain", "a", 100), new Charge("windows", "b", 100),
				new Charge("everyone", Policy.EVERYONE, 100), Charge.exempt("plain"));
		assertThat(this.other.refund(token)).isEqualTo(Settlement.SETTLED);
		assertThat(this.other.refund(token)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(remaining("plain")).isEqualTo(1000);
		assertThat(this.one.peek(List.of(new Charge("everyone", Policy.EVERYONE, 0))).limits().get(0).remaining())
			.isEqualTo(1000);
	}

	@Test
	void settlesNothingOfAChargeThatIsOffWhereTheCallChargesTheKeyAgain() {
		String token = detach(STAYING, new Charge("plain", "a", 300).withPlan("internal"),
				new Charge("plain", "a", 400));
		reserve(new Charge("plain", "a", 600));
		assertThat(this.other.adjust(token, 100)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("plain")).isEqualTo(300);
		assertThat(this.one.refund(token)).isEqualTo(Settlement.ALREADY_SETTLED);
		assertThat(remaining("plain")).isEqualTo(300);
	}

	@Test
	void settlesACallWithoutLimitsOnceToo() {
		String token = detach(STAYING, Charge.exempt("plain"));
		assertThat(this.other.adjust(token, 5)).isEqualTo(Settlement.SETTLED);
		assertThat(this.other.adjust(token, 5)).isEqualTo(Settlement.ALREADY_SETTLED);
	}

	@Test
	void clampsToTheMaximumCostOfThePolicy() {
		String token = detach(STAYING, new Charge("capped", "a", 10));
		this.other.adjust(token, 1000);
		assertThat(remaining("capped")).isEqualTo(960);
	}

	@Test
	void settlesByTheLimitThatWasChargedIfThePolicyChanged() {
		String token = detach(STAYING, new Charge("plain", "a", 600));
		Reservation inProcess = this.one.reserve(List.of(new Charge("plain", "b", 600)));
		this.policies.replace(new Policy("plain", List.of(Limit.parse("500/1d")), List.of("principal")));
		this.one.refund(inProcess);
		assertThat(this.one.refund(token)).isEqualTo(Settlement.SETTLED);
		assertThat(this.one.peek(List.of(new Charge("plain", "a", 0))).limits().get(0).remaining())
			.isEqualTo(this.one.peek(List.of(new Charge("plain", "b", 0))).limits().get(0).remaining());
	}

	@Test
	void staysChargedAfterItsTimeUnlessTheTermsRefundIt() {
		String token = detach(STAYING, new Charge("windows", "a", 600));
		this.clock.addAndGet(MINUTE - 1);
		String later = detach(STAYING, new Charge("windows", "a", 100));
		assertThat(this.other.refund(later)).isEqualTo(Settlement.SETTLED);
		this.clock.addAndGet(1);
		assertThat(this.other.refund(token)).isEqualTo(Settlement.EXPIRED);
		join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore));
		assertThat(remaining("windows")).isEqualTo(400);
	}

	@Test
	void refundsWhatWasNotSettledInItsTime() {
		String crashed = detach(REFUNDED, new Charge("windows", "a", 600));
		String used = detach(REFUNDED, new Charge("windows", "a", 100));
		assertThat(this.other.adjust(used, 70)).isEqualTo(Settlement.SETTLED);
		this.clock.addAndGet(MINUTE - 1);
		join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore));
		assertThat(remaining("windows")).isEqualTo(330);
		this.clock.addAndGet(1 + 100_000);
		assertThat(this.other.adjust(crashed, 600)).isEqualTo(Settlement.EXPIRED);
		assertThat(join(store(this.clock::get).detachedReservations().refundDue(DetachedReservationContract::ignore)))
			.isEmpty();
		assertThat(remaining("windows")).isEqualTo(930);
		join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore));
		assertThat(this.other.adjust(crashed, 600)).isEqualTo(Settlement.EXPIRED);
		assertThat(remaining("windows")).isEqualTo(930);
	}

	@Test
	void tellsWhenTheNextRefundIsDue() {
		assertThat(join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore))).isEmpty();
		detach(REFUNDED, new Charge("windows", "a", 600));
		this.clock.addAndGet(10);
		assertThat(join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore)).orElseThrow())
			.isBetween(MINUTE - 10, MINUTE + 100_000);
	}

	@Test
	void knowsNothingOfAForgedToken() {
		String token = detach(STAYING, new Charge("plain", "a", 600));
		byte[] forged = Base64.getUrlDecoder().decode(token);
		int id = 4 + Long.BYTES;
		for (int i = 0; i < 8; i++) {
			forged[id + i] = (byte) ('a' + i);
		}
		String made = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
		assertThat(this.one.refund(made)).isIn(Settlement.UNKNOWN, Settlement.EXPIRED);
		assertThat(remaining("plain")).isEqualTo(400);
		assertThat(this.one.refund(token)).isEqualTo(Settlement.SETTLED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "secret", "AQAB", "AQABAA", "AQABAXg", "AgABAXg", "!!!" })
	void refusesATextThatIsNoTokenWithoutRepeatingIt(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.refund(text))
			.withMessage("'token' must be the token of a detached reservation, unchanged");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> join(this.one.adjustAsync(text, 1)))
			.satisfies((failure) -> assertThat(cause(failure)).isInstanceOf(IllegalArgumentException.class));
	}

	@Test
	void refusesACostBelowZero() {
		String token = detach(STAYING, new Charge("plain", "a", 600));
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.adjust(token, -1))
			.withMessage("'actual' must not be negative, was -1");
		assertThat(this.one.refund(token)).isEqualTo(Settlement.SETTLED);
	}

	@Test
	void leavesAReservationOpenIfThereIsNoSuchPolicyHere() {
		String token = detach(STAYING, new Charge("plain", "a", 600));
		RateLimiter without = new RateLimiter(new Policies(List.of()), store(this.clock::get), List.of());
		assertThatIllegalArgumentException().isThrownBy(() -> without.adjust(token, 1))
			.withMessageContaining("there is no policy named 'plain'");
		assertThat(without.refund(token)).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("plain")).isEqualTo(1000);
	}

	@Test
	void refusesWhatIsNotReserved() {
		assertThat(reserve(new Charge("plain", "a", 1000)).decision().allowed()).isTrue();
		Reservation denied = reserve(new Charge("plain", "a", 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.detach(denied, STAYING))
			.withMessage("'reservation' must be of an admitted call, nothing is reserved");
		Reservation holding = reserve(Charge.of("held", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.one.detach(holding, STAYING))
			.withMessageContaining("must not hold permits");
		this.one.release(holding);
		assertThat(this.other.refund(this.one.detach(holding, STAYING))).isEqualTo(Settlement.SETTLED);
		assertThat(remaining("held")).isEqualTo(1000);
	}

	@Test
	void doesNotRevealTheKey() {
		String token = detach(REFUNDED, new Charge("plain", "alice@example.org", 600));
		assertThat(token).matches("[A-Za-z0-9_-]+").hasSizeLessThan(200);
		assertThat(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.ISO_8859_1))
			.doesNotContain("alice");
	}

	@Test
	void settlesOnceIfManyTryAtOnce() {
		List<CompletableFuture<Settlement>> tries = new ArrayList<>();
		String token = detach(STAYING, new Charge("windows", "a", 600));
		for (int i = 0; i < 100; i++) {
			RateLimiter limiter = (i % 2 == 0) ? this.one : this.other;
			tries.add(CompletableFuture.supplyAsync(() -> join(limiter.adjustAsync(token, 100))));
		}
		assertThat(tries.stream().map(CompletableFuture::join)).containsOnlyOnce(Settlement.SETTLED)
			.containsOnly(Settlement.SETTLED, Settlement.ALREADY_SETTLED);
		assertThat(remaining("windows")).isEqualTo(900);
	}

	/**
	 * Half are adjusted by another instance, a tenth twice, and the holders of a tenth
	 * crash; the others are refunded, adjusted by the reservation or left as they are.
	 */
	@Test
	void countsWhatTenThousandReservationsHaveUsed() {
		for (int first = 0; first < 10_000; first += 500) {
			IntStream.range(first, first + 500)
				.<CompletionStage<?>>mapToObj(this::use)
				.toList()
				.forEach(DetachedReservationContract::join);
		}
		this.one.close(); // whose timer might be refunding some of them by the end
		this.clock.addAndGet(MINUTE + 100_000);
		join(this.store.detachedReservations().refundDue(DetachedReservationContract::ignore));
		long used = IntStream.range(0, 10_000).mapToLong(DetachedReservationContract::used).sum();
		Decision left = this.other.peek(List.of(new Charge("many", "a", 0)));
		assertThat(left.limits()).hasSize(2)
			.allSatisfy((limit) -> assertThat(limit.remaining()).isEqualTo(limit.limit().burst() - used));
	}

	private CompletionStage<?> use(int call) {
		List<Charge> charges = List.of(new Charge("many", "a", estimate(call)));
		TokenTerms terms = (call % 10 == 6) ? REFUNDED : STAYING;
		return this.one.reserveAsync(charges).thenCompose((reservation) -> switch (call % 10) {
			case 8 -> this.one.adjustAsync(reservation, used(call));
			case 9 -> nothing();
			default -> this.one.detachAsync(reservation, terms).thenCompose((token) -> settle(call, token));
		});
	}

	private CompletionStage<Void> settle(int call, String token) {
		return switch (call % 10) {
			case 5 -> this.other.adjustAsync(token, used(call))
				.thenCompose((settled) -> this.one.refundAsync(token))
				.thenAccept((again) -> assertThat(again).isEqualTo(Settlement.ALREADY_SETTLED));
			case 6 -> nothing();
			case 7 -> this.other.refundAsync(token).thenAccept((settled) -> {
			});
			default -> this.other.adjustAsync(token, used(call)).thenAccept((settled) -> {
			});
		};
	}

	private static CompletionStage<Void> nothing() {
		return CompletableFuture.completedFuture(null);
	}

	private static long estimate(int call) {
		return 1L + call % 50;
	}

	private static long used(int call) {
		return switch (call % 10) {
			case 6, 7 -> 0;
			case 9 -> estimate(call);
			default -> call % 73;
		};
	}

	private String detach(TokenTerms terms, Charge... charges) {
		return this.one.detach(reserve(charges), terms);
	}

	private Reservation reserve(Charge... charges) {
		return this.one.reserve(List.of(charges));
	}

	private long remaining(String policy) {
		return this.one.peek(List.of(new Charge(policy, "a", 0))).limits().get(0).remaining();
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

	private static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private static Policies policies() {
		Policy capped = policy("capped", "1000/1d")
			.withOptions(PolicyOptions.STANDARD.withMaxCost(new MaxCost(40, true)));
		Plan off = new Plan(List.of(Limit.parse("1000/1d")), EnforcementMode.OFF);
		Policy plain = policy("plain", "1000/1d").withPlans(Map.of("internal", off));
		return new Policies(List.of(plain, policy("windows", "1000/1d fixed-window"), capped,
				policy("everyone", "1000/1d"), policy("held", "1000/1d", "5 concurrent lease 30s"),
				policy("many", "100000000/1d fixed-window", "99999999/1d sliding-window-counter")));
	}

	private static Policy policy(String name, String... limits) {
		return new Policy(name, Stream.of(limits).map((limit) -> Limit.parse(limit, Algorithm.TOKEN_BUCKET)).toList(),
				List.of("principal"));
	}

	private static void ignore(DetachedCharge charge) {
	}

}
