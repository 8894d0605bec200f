package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.policy.UnsatisfiableCostException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.DefaultChatOptions;
import org.springframework.ai.chat.prompt.Prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ReserveTests {

	/** Sixteen bytes and the separators of one message. */
	private static final int PROMPT = 32;

	private final ChatFixture limits = new ChatFixture().with("requests", "1000/1m").with("tokens", "10000/1m");

	@Test
	void reservesTheMostThatACallCanUse() {
		CallTests.ask(client(TokenReserve.maxTokens(1),
				StubModel.answering(StubModel.part()).with(ChatOptions.builder().maxTokens(500).build())));
		assertThat(this.limits.left("tokens")).isEqualTo(10000 - 500 - PROMPT);
	}

	@Test
	void findsTheMaximumOfOptionsThatNameItOtherwise() {
		ChatClientRequest request = ChatClientRequest.builder().prompt(new Prompt("", new OtherOptions())).build();
		assertThat(ModelOptions.of(request.prompt().getOptions())).isEqualTo(new ModelOptions("other", 700L));
	}

	@Test
	void reservesTheInitialTokensWhereOptionsHaveNoMaximum() {
		CallTests.ask(client(TokenReserve.maxTokens(900), StubModel.answering(StubModel.part())));
		assertThat(this.limits.left("tokens")).isEqualTo(10000 - 900 - PROMPT);
	}

	@Test
	void refusesACallThatCanUseMoreThanThePolicyEverAdmits() {
		StubModel model = StubModel.answering(StubModel.part()).with(ChatOptions.builder().maxTokens(20000).build());
		assertThatExceptionOfType(UnsatisfiableCostException.class)
			.isThrownBy(() -> CallTests.ask(client(TokenReserve.maxTokens(1), model)));
		assertThat(model.calls()).isZero();
	}

	@Test
	void learnsWhatMostCallsUse() {
		int[] tokens = { 0 };
		StubModel model = StubModel.answering((prompt) -> {
			tokens[0]++;
			return Flux.just((tokens[0] > 100) ? StubModel.part() : StubModel.part(tokens[0], 0));
		});
		ChatClient client = client(TokenReserve.p95(3000), model);
		IntStream.rangeClosed(1, 100).forEach((call) -> CallTests.ask(client));
		assertThat(this.limits.left("tokens")).isEqualTo(10000 - 5050);
		CallTests.ask(client);
		assertThat(this.limits.left("tokens")).as("95 percent of the last 64 calls used 97 tokens or less")
			.isEqualTo(10000 - 5050 - 97);
	}

	@Test
	void reservesTheInitialTokensBeforeItHasLearnt() {
		CallTests.ask(client(TokenReserve.p95(3000), StubModel.answering(StubModel.part())));
		assertThat(this.limits.left("tokens")).isEqualTo(7000);
	}

	@Test
	void reservesNoMoreThanFits() {
		ChatClient client = client(TokenReserve.p95(3000), StubModel.answering(StubModel.part(15000, 0)));
		CallTests.ask(client);
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> CallTests.ask(client));
		this.limits.micros.addAndGet(120_000_000);
		CallTests.ask(client);
		assertThat(this.limits.left("requests")).isEqualTo(999);
	}

	@Test
	void countsAllThatAPromptHas() {
		AssistantMessage call = AssistantMessage.builder()
			.content("a")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", "bc", "def")))
			.build();
		ToolResponseMessage answer = ToolResponseMessage.builder()
			.responses(List.of(new ToolResponseMessage.ToolResponse("1", "bc", "ghijk")))
			.build();
		ChatClientRequest request = ChatClientRequest.builder()
			.prompt(new Prompt(List.of(new SystemMessage("lm"), new UserMessage("ü"), call, answer),
					CallTests.withTool()))
			.context(ChatClientAttributes.OUTPUT_FORMAT.getKey(), "opqr")
			.build();
		int tool = "clockTells the time".length() + Objects.requireNonNull(CallTests.withTool().getToolCallbacks())
			.get(0)
			.getToolDefinition()
			.inputSchema()
			.length();
		assertThat(new PromptSize(PromptSize.BYTES).of(request)).isEqualTo(2 + 2 + 6 + 7 + 4 + tool + 5 * 16);
		assertThat(new PromptSize((text) -> 1).of(request)).isEqualTo(1 + 1 + 3 + 2 + 1 + 3 + 1 + 5 * 16);
	}

	@Test
	void refusesToReserveNothing() {
		assertThatIllegalArgumentException().isThrownBy(() -> TokenReserve.fixed(0))
			.withMessage("the tokens to reserve must be at least 1, were 0");
	}

	private ChatClient client(TokenReserve reserve, StubModel model) {
		return ChatFixture.client(model, this.limits.reserving(reserve).advisors("requests", "tokens"));
	}

	/** Options as some models of OpenAI need them. */
	public static final class OtherOptions extends DefaultChatOptions {

		OtherOptions() {
			super("other", null, null, null, null, null, null, null);
		}

		/**
		 * Returns the maximum.
		 * @return tokens
		 */
		public Integer getMaxCompletionTokens() {
			return 700;
		}

	}

}
