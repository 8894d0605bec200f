package io.github.ratelimit.spring.ai;

import java.util.stream.IntStream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatResponse;

import static org.assertj.core.api.Assertions.assertThat;

class LearntReserveTests {

	private static final String VICTIM = "victim";

	private static final int WHOLE = 100_000;

	private final ChatFixture limits = new ChatFixture().with("requests", "10000/1m")
		.with("tokens", WHOLE + "/1h", "principal");

	private final ChatClient client = ChatFixture.client(StubModel.answering((prompt) -> answer()),
			this.limits.reserving(TokenReserve.p95(1_000)).advisors("requests", "tokens"));

	/** The tokens of the next calls. */
	private int used;

	/** Calls that are in flight before the first of them ends. */
	private int atOnce;

	@Test
	void anExpensiveCallOfOneCallerDoesNotLockOutAnother() {
		call(VICTIM, 6_000);
		times(5, () -> call(VICTIM, 100));
		call("other", 95_000);
		assertThat(admitted(200, VICTIM, 100)).isEqualTo(200);
		assertThat(left(VICTIM)).isEqualTo(WHOLE - 6_000 - 500 - 20_000);
	}

	@Test
	void manyCallersWithExpensiveCallsDoNotLockOutAnotherNorANewOne() {
		times(300, () -> call(VICTIM, 100));
		IntStream.range(0, 20).forEach((caller) -> call("other" + caller, 95_000));
		assertThat(admitted(100, VICTIM, 100)).isEqualTo(100);
		assertThat(admitted(300, "new", 100)).isEqualTo(300);
	}

	@Test
	void aNewCallerMakesTenCheapCallsAtOnceWhateverOthersUse() {
		IntStream.range(0, 50).forEach((caller) -> call("other" + caller, 15_000));
		this.atOnce = 10;
		call("new", 100);
		assertThat(left("new")).isEqualTo(WHOLE - 1_000);
	}

	@Test
	void aCallersFirstCallDoesNotLockOutItsCheapOnes() {
		call(VICTIM, 95_000);
		assertThat(admitted(40, VICTIM, 100)).isEqualTo(40);
		assertThat(left(VICTIM)).isEqualTo(1_000);
	}

	@Test
	void aCallerReservesNoMoreThanItHasLeft() {
		times(64, () -> {
			call(VICTIM, 60_000);
			this.limits.micros.addAndGet(3_600_000_000L);
		});
		call(VICTIM, 100);
		call(VICTIM, 60_000);
		assertThat(admitted(100, VICTIM, 100)).isEqualTo(100);
		assertThat(left(VICTIM)).isEqualTo(29_900);
	}

	@Test
	void aCallerWhoIsDeniedLearnsWhatOthersLeft() {
		call(VICTIM, 100);
		call(VICTIM, 60_000);
		this.limits.limiter().acquire(new Charge("tokens", key(VICTIM), 30_000));
		assertThat(admitted(3, VICTIM, 100)).as("the first is denied").isEqualTo(2);
	}

	@Test
	void aResponseThatReportsNoTokensPaysNone() {
		call(VICTIM, 6_000);
		call(VICTIM, 0);
		assertThat(left(VICTIM)).isEqualTo(WHOLE - 6_000);
	}

	@Test
	void aResponseThatReportsNegativeTokensPaysTheReservation() {
		call(VICTIM, 6_000);
		call(VICTIM, -1);
		assertThat(left(VICTIM)).isEqualTo(WHOLE - 12_000);
	}

	@Test
	void aStreamWhosePartsReportNoTokensPaysTheReservation() {
		call(VICTIM, 6_000);
		this.used = 0;
		this.client.prompt("Hello").stream().content().blockLast();
		assertThat(left(VICTIM)).isEqualTo(WHOLE - 12_000);
	}

	private Flux<ChatResponse> answer() {
		this.atOnce--;
		if (this.atOnce > 0) {
			CallTests.ask(this.client);
		}
		return Flux.just(StubModel.part(this.used, 0));
	}

	private long left(String caller) {
		return this.limits.left("tokens", key(caller));
	}

	private int admitted(int calls, String caller, int tokens) {
		int admitted = 0;
		for (int i = 0; i < calls; i++) {
			admitted += isAdmitted(caller, tokens) ? 1 : 0;
		}
		return admitted;
	}

	private boolean isAdmitted(String caller, int tokens) {
		try {
			call(caller, tokens);
			return true;
		}
		catch (RateLimitExceededException ex) {
			return false;
		}
	}

	private void call(String caller, int tokens) {
		this.used = tokens;
		this.limits.caller = () -> CallerTests.user(caller);
		CallTests.ask(this.client);
	}

	private static String key(String caller) {
		return "principal:" + caller;
	}

	private static void times(int times, Runnable call) {
		IntStream.range(0, times).forEach((index) -> call.run());
	}

}
