package io.github.ratelimit.spring.ai;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policy;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class CallTests {

	/** A quarter of the bytes of "What time is it?", and the separators of a message. */
	static final int PROMPT = 4 + 16;

	private final ChatFixture limits = new ChatFixture().with("requests", "5/1m").with("tokens", "1000/1m");

	@Test
	void adjustsTokensToTheUsage() {
		ask(this.limits.client(StubModel.answering(StubModel.part(30, 70))));
		assertThat(this.limits.left("requests")).isEqualTo(4);
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void chargesWhatExceedsTheReserveToo() {
		ask(this.limits.client(StubModel.answering(StubModel.part(30, 700))));
		assertThat(this.limits.left("tokens")).isEqualTo(270);
	}

	@Test
	void chargesTokensThatAreNeitherOfThePromptNorOfTheCompletion() {
		ask(this.limits.client(StubModel.answering(StubModel.part(30, 70, 250))));
		assertThat(this.limits.left("tokens")).isEqualTo(750);
	}

	@Test
	void chargesNothingAndCallsNoModelWhereOnePolicyDenies() {
		StubModel model = StubModel.answering(StubModel.part(1, 799));
		ChatClient client = this.limits.client(model);
		ask(client);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> ask(client))
			.satisfies((ex) -> assertThat(ex.getDecision().isDeniedBy("tokens", Policy.EVERYONE)).isTrue());
		assertThat(model.calls()).isOne();
		assertThat(this.limits.left("requests")).isEqualTo(4);
		assertThat(this.limits.left("tokens")).isEqualTo(200);
	}

	@Test
	void keepsTheReserveWhereTheModelReportsNoUsage() {
		ask(this.limits.client(StubModel.answering(StubModel.part())));
		assertThat(this.limits.left("tokens")).isEqualTo(600);
	}

	@Test
	void keepsThePromptOfAFailedCallAndTheCall() {
		ChatClient client = this.limits
			.client(StubModel.answering((prompt) -> Flux.error(new IllegalStateException("broken"))));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> ask(client)).withMessage("broken");
		assertThat(this.limits.left("requests")).isEqualTo(4);
		assertThat(this.limits.left("tokens")).isEqualTo(1000 - PROMPT);
	}

	@Test
	void chargesEachCallOfARequestWhoseToolsTheModelCalls() {
		StubModel model = StubModel.answering((prompt) -> (prompt.getInstructions().size() > 1)
				? Flux.just(StubModel.part(100, 20)) : Flux.just(StubModel.toolCall("clock", 50, 10)));
		ask(this.limits.client(model.with(withTool())));
		assertThat(model.calls()).isEqualTo(2);
		assertThat(this.limits.left("requests")).isEqualTo(3);
		assertThat(this.limits.left("tokens")).isEqualTo(820);
	}

	@Test
	void chargesMoneyByThePriceOfTheModel() {
		this.limits.with("money", "1000/1m");
		ask(ChatFixture.client(StubModel.answering(StubModel.part(30, 70)),
				this.limits.reserving(TokenReserve.fixed(100)).advisors(cost("money"))));
		assertThat(this.limits.left("money")).as("1000 - 30 * 0.5 - 70 * 2.25, rounded").isEqualTo(827);
	}

	@Test
	void reservesMoneyForTheTokensOfTheReserve() {
		this.limits.with("money", "1000/1m");
		ask(ChatFixture.client(StubModel.answering(StubModel.part()),
				this.limits.reserving(TokenReserve.fixed(100)).advisors(cost("money"))));
		assertThat(this.limits.left("money")).isEqualTo(775);
	}

	@Test
	void callsNoModelThatHasNoPrice() {
		this.limits.with("money", "1000/1m");
		StubModel model = StubModel.answering(StubModel.part()).with(ChatOptions.builder().model("large").build());
		ChatClient client = ChatFixture.client(model, this.limits.clients().advisors(cost("money")));
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> ask(client))
			.withMessage("Policy 'money' cannot charge a call of model 'large': it has no price. Configure "
					+ "'ratelimit.ai.prices', for the model or for 'default'.");
		assertThat(model.calls()).isZero();
	}

	@Test
	void chargesModelsWithoutPriceByTheDefault() {
		this.limits.prices = new TokenPrices(Map.of("default", new TokenPrice(new BigDecimal(1), new BigDecimal(1))));
		this.limits.with("money", "1000/1m");
		ask(ChatFixture.client(StubModel.answering(StubModel.part(5, 6)),
				this.limits.clients().advisors(cost("money"))));
		assertThat(this.limits.left("money")).isEqualTo(989);
	}

	@Test
	void keepsCountsOfModelsApart() {
		this.limits.with("each", "10/1m", "#model").with("all", "5000/1m");
		ChatClient client = ChatFixture.client(StubModel.answering(StubModel.part(1, 1)),
				this.limits.clients().advisors("each", "all"));
		ask(client);
		client.prompt("What time is it?").options(ChatOptions.builder().model("large")).call().content();
		assertThat(this.limits.left("each", "expression:small")).isEqualTo(9);
		assertThat(this.limits.left("each", "expression:large")).isEqualTo(9);
		assertThat(this.limits.left("all")).isEqualTo(4996);
	}

	@Test
	void limitsNothingWithoutPolicies() {
		assertThat(this.limits.clients().advisors(new ChatPolicies(List.of(), List.of(), List.of()))).isEmpty();
	}

	@Test
	void refusesPoliciesThatAreNotThere() {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> this.limits.clients().advisors("requests", "token"))
			.withMessageContaining("cannot be limited by 'token': there is no policy named 'token'");
	}

	@Test
	void refusesAReserveThatNeverFits() {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> this.limits.reserving(TokenReserve.fixed(1001)).advisors("requests", "tokens"))
			.withMessageContaining("'cost' must be at most 1000");
	}

	@Test
	void refusesMoneyWithoutPrices() {
		this.limits.prices = TokenPrices.NONE;
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> this.limits.clients().advisors(cost("tokens")))
			.withMessageContaining("no model has a price");
	}

	@Test
	void refusesAPolicyInTwoUnits() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.limits.clients().advisors("tokens", "tokens"))
			.withMessageContaining("'tokens' is named twice");
	}

	static String ask(ChatClient client) {
		return String.valueOf(client.prompt("What time is it?").call().content());
	}

	static ToolCallingChatOptions withTool() {
		ToolCallback clock = FunctionToolCallback.builder("clock", () -> "noon")
			.description("Tells the time")
			.inputType(Void.class)
			.build();
		return ToolCallingChatOptions.builder().model("small").toolCallbacks(clock).build();
	}

	private static ChatPolicies cost(String policy) {
		return new ChatPolicies(List.of(), List.of(), List.of(policy));
	}

}
