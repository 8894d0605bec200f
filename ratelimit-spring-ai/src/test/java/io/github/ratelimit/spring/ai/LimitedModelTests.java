package io.github.ratelimit.spring.ai;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.policy.InvalidCostException;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.metadata.EmptyUsage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.embedding.EmbeddingResponseMetadata;
import org.springframework.ai.image.Image;
import org.springframework.ai.image.ImageGeneration;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImageOptionsBuilder;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.image.ImageResponse;
import org.springframework.ai.tokenizer.TokenCountEstimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Models that are called without a client.
 */
class LimitedModelTests {

	private static final ChatPolicies BOTH = new ChatPolicies(List.of("requests"), List.of("tokens"), List.of());

	private static final ChatPolicies MONEY = new ChatPolicies(List.of(), List.of(), List.of("money"));

	private final ChatFixture limits = new ChatFixture().with("requests", "3/1m")
		.with("tokens", "1000/1m")
		.with("images", "5/1m")
		.with("money", "100000/1m");

	@Test
	void adjustsTheTokensOfAChatModelToTheUsage() {
		ChatModel model = this.limits.models().limit(StubModel.answering(StubModel.part(30, 70)), BOTH);
		assertThat(model.call("What time is it?")).isEqualTo("word ");
		assertThat(this.limits.left("requests")).isEqualTo(2);
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void callsNoChatModelIfOnePolicyDenies() {
		StubModel stub = StubModel.answering(StubModel.part(0, 700));
		ChatModel model = this.limits.models().limit(stub, BOTH);
		model.call("Hello");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> model.call("Hello"));
		StepVerifier.create(model.stream("Hello")).verifyError(RateLimitExceededException.class);
		assertThat(stub.calls()).isOne();
		assertThat(this.limits.left("requests")).isEqualTo(2);
	}

	@Test
	void adjustsTheTokensOfAStreamBeforeItsEnd() {
		ChatModel model = this.limits.models()
			.limit(StubModel.answering(StubModel.part(30, 10), StubModel.part(30, 70)), BOTH);
		Flux<String> stream = model.stream("Hello");
		assertThat(this.limits.left("requests")).as("before a subscription").isEqualTo(3);
		StepVerifier.create(stream).expectNextCount(2).verifyComplete();
		assertThat(this.limits.left("requests")).isEqualTo(2);
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void keepsThePromptOfAFailedCallOfAChatModel() {
		ChatModel model = this.limits.models()
			.limit(StubModel.answering((prompt) -> Flux.error(new IllegalStateException("broken"))), BOTH);
		assertThatIllegalStateException().isThrownBy(() -> model.call("Hello"));
		assertThat(this.limits.left("requests")).isEqualTo(2);
		assertThat(this.limits.left("tokens")).isEqualTo(1000 - 2 - 16);
	}

	@Test
	void takesTheNameAndTheMaximumOfTheModelIfAPromptHasNone() {
		this.limits.prices = new TokenPrices(Map.of("large", new TokenPrice(BigDecimal.ZERO, BigDecimal.ONE)));
		this.limits.reserve = TokenReserve.maxTokens(5000);
		ChatModel model = this.limits.models()
			.limit(StubModel.answering(StubModel.part())
				.with(ChatOptions.builder().model("large").maxTokens(300).build()), MONEY);
		model.call(new Prompt("Hello"));
		assertThat(this.limits.left("money")).isEqualTo(99_700);
		assertThat(model.getOptions().getModel()).isEqualTo("large");
	}

	@Test
	void adjustsTheTokensOfEmbeddingsToTheUsage() {
		EmbeddingModel model = this.limits.models().limit(new StubEmbeddings(new DefaultUsage(40, 0)), BOTH);
		assertThat(model.embed(List.of("one", "two"))).hasSize(2);
		assertThat(this.limits.left("requests")).isEqualTo(2);
		assertThat(this.limits.left("tokens")).isEqualTo(960);
	}

	@Test
	void keepsATokenForFourBytesIfAnEmbeddingReportsNoUsage() {
		for (Usage unknown : List.of(new EmptyUsage(), new DefaultUsage(0, 0))) {
			long before = this.limits.left("tokens");
			this.limits.models().limit(new StubEmbeddings(unknown), BOTH).embed("x".repeat(101));
			assertThat(before - this.limits.left("tokens")).isEqualTo(26);
		}
	}

	@Test
	void keepsTheLargestNumberOfTokensIfThatIsReserved() {
		this.limits.reserve = TokenReserve.maxTokens(1);
		this.limits.models().limit(new StubEmbeddings(new EmptyUsage()), BOTH).embed("x".repeat(100));
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void estimatesEmbeddingsWithTheEstimatorIfThereIsOne() {
		this.limits.estimator = new WordEstimator();
		this.limits.models().limit(new StubEmbeddings(new EmptyUsage()), BOTH).embed("one two three");
		assertThat(this.limits.left("tokens")).isEqualTo(997);
	}

	@Test
	void chargesTheTextOfADocument() {
		EmbeddingModel model = this.limits.models().limit(new StubEmbeddings(new DefaultUsage(40, 0)), BOTH);
		assertThat(model.embed(new Document("x".repeat(20)))).hasSize(1);
		assertThat(this.limits.left("requests")).isEqualTo(2);
		assertThat(this.limits.left("tokens")).isEqualTo(995);
	}

	@Test
	void embedsNothingIfAPolicyDenies() {
		StubEmbeddings stub = new StubEmbeddings(new DefaultUsage(1000, 0));
		EmbeddingModel model = this.limits.models().limit(stub, BOTH);
		model.embed("one");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> model.embed("two"));
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> model.embed(new Document("three")));
		assertThat(stub.texts).containsExactly("one");
	}

	@Test
	void chargesMoneyForEmbeddingsByTheirModel() {
		this.limits.prices = new TokenPrices(Map.of("e", new TokenPrice(new BigDecimal("0.5"), BigDecimal.ZERO)));
		EmbeddingModel model = this.limits.models().limit(new StubEmbeddings(new DefaultUsage(40, 0)), MONEY);
		model.call(new EmbeddingRequest(List.of("one"), EmbeddingOptions.builder().model("e").build()));
		assertThat(this.limits.left("money")).isEqualTo(99_980);
	}

	@Test
	void chargesTheImagesOfAResponse() {
		ImageModel model = this.limits.models().limit(new StubImages(2), List.of("images"), List.of());
		model.call(prompt(3));
		assertThat(this.limits.left("images")).isEqualTo(3);
		model.call(new ImagePrompt("A tree"));
		assertThat(this.limits.left("images")).isOne();
	}

	@Test
	void drawsNothingOnceAModelHasDrawnMoreThanAskedFor() {
		StubImages stub = new StubImages(6);
		ImageModel model = this.limits.models().limit(stub, List.of("images"), List.of());
		model.call(prompt(4));
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> model.call(prompt(1)));
		assertThat(stub.calls).isOne();
		assertThat(this.limits.left("images")).isZero();
	}

	@Test
	void chargesMoneyForEachImage() {
		this.limits.prices = new TokenPrices(Map.of(), Map.of("default", new BigDecimal("0.04")));
		ImageModel model = this.limits.models().limit(new StubImages(2), List.of(), List.of("money"));
		model.call(prompt(2));
		assertThat(this.limits.left("money")).isEqualTo(20_000);
	}

	@Test
	void refundsImagesOfAFailedCall() {
		ImageModel model = this.limits.models().limit((ImageModel) (prompt) -> {
			throw new IllegalStateException("broken");
		}, List.of("images"), List.of());
		assertThatIllegalStateException().isThrownBy(() -> model.call(prompt(2)));
		assertThat(this.limits.left("images")).isEqualTo(5);
	}

	@Test
	void drawsNothingWithoutAPriceOfImages() {
		this.limits.prices = new TokenPrices(Map.of(), Map.of("other", BigDecimal.ONE));
		StubImages stub = new StubImages(1);
		ImageModel model = this.limits.models().limit(stub, List.of(), List.of("money"));
		assertThatExceptionOfType(InvalidCostException.class).isThrownBy(() -> model.call(prompt(1)))
			.withMessageContaining("Configure 'ratelimit.ai.image-prices', for the model or for 'default'.");
		assertThat(stub.calls).isZero();
	}

	@Test
	void refusesMoneyWithoutPricesOfImages() {
		assertThatExceptionOfType(InvalidRateLimitConfigurationException.class)
			.isThrownBy(() -> this.limits.models().limit(new StubImages(1), List.of(), List.of("money")))
			.withMessageContaining("no model has a price");
	}

	@Test
	void refusesANegativePriceOfImages() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new TokenPrices(Map.of(), Map.of("draw", new BigDecimal(-1))))
			.withMessage("the price of an image of 'draw' must not be negative, was -1");
	}

	@Test
	void leavesModelsWithoutPoliciesAsTheyAre() {
		ChatPolicies none = new ChatPolicies(List.of(), List.of(), List.of());
		StubModel chat = StubModel.answering(StubModel.part());
		EmbeddingModel embeddings = new StubEmbeddings(new EmptyUsage());
		ImageModel images = new StubImages(1);
		assertThat(this.limits.models().limit(chat, none)).isSameAs(chat);
		assertThat(this.limits.models().limit(embeddings, none)).isSameAs(embeddings);
		assertThat(this.limits.models().limit(images, List.of(), List.of())).isSameAs(images);
	}

	private static ImagePrompt prompt(int images) {
		return new ImagePrompt("A tree", ImageOptionsBuilder.builder().n(images).build());
	}

	/** A model that reports the same usage of each call. */
	private static final class StubEmbeddings implements EmbeddingModel {

		private final List<String> texts = new ArrayList<>();

		private final Usage usage;

		private StubEmbeddings(Usage usage) {
			this.usage = usage;
		}

		@Override
		public EmbeddingResponse call(EmbeddingRequest request) {
			this.texts.addAll(request.getInstructions());
			return new EmbeddingResponse(
					request.getInstructions().stream().map((text) -> new Embedding(new float[1], 0)).toList(),
					new EmbeddingResponseMetadata("e", this.usage));
		}

		@Override
		public float[] embed(Document document) {
			return embed(String.valueOf(document.getText()));
		}

	}

	/** A model that draws the same number of images for each call. */
	private static final class StubImages implements ImageModel {

		private final int images;

		private int calls;

		private StubImages(int images) {
			this.images = images;
		}

		@Override
		public ImageResponse call(ImagePrompt prompt) {
			this.calls++;
			List<ImageGeneration> drawn = new ArrayList<>();
			for (int i = 0; i < this.images; i++) {
				drawn.add(new ImageGeneration(new Image(null, "")));
			}
			return new ImageResponse(drawn);
		}

	}

	/** An estimator that counts words. */
	private static final class WordEstimator implements TokenCountEstimator {

		@Override
		public int estimate(@Nullable String text) {
			return String.valueOf(text).split(" ").length;
		}

		@Override
		public int estimate(MediaContent content) {
			return estimate(content.getText());
		}

		@Override
		public int estimate(Iterable<MediaContent> messages) {
			throw new UnsupportedOperationException();
		}

	}

}
