package io.github.ratelimit.spring.ai;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.client.UpstreamPausedException;
import io.github.ratelimit.spring.client.UpstreamPauses;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImageOptions;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.image.ImageResponse;

/**
 * A factory of models whose calls are kept under policies, for models that are called
 * without a {@code ChatClient}. Thread-safe.
 *
 * <p>
 * Each call of a limited model charges all policies in one decision. Tokens, images and
 * money are reserved and, when the call has ended, adjusted to what the response reports.
 * If it reports nothing they stay as reserved. If there was no response at all, the
 * estimated tokens of the prompt and their price stay charged, unless the provider could
 * not be reached or refused the call for a while. The call itself stays charged.
 *
 * <p>
 * A denied call ends in a {@link RateLimitExceededException}, which a stream emits. A 429
 * or 503 of the provider with {@code Retry-After} pauses the calls of the model for that
 * time, a minute at most: they end in an {@link UpstreamPausedException}. If the store
 * fails and the policy denies then, a call ends in a {@link RateLimitStoreException}.
 */
public final class RateLimitedModels {

	private final ModelLimits limits;

	/**
	 * Creates a factory.
	 * @param limiter the limiter that decides
	 * @param policies the policies that may be charged
	 * @param callers the callers for whom models are called
	 * @param pauses the pauses of providers
	 * @param settings how tokens are reserved and priced
	 */
	public RateLimitedModels(RateLimiter limiter, Policies policies, ChatCallers callers, UpstreamPauses pauses,
			TokenSettings settings) {
		this(new ModelLimits(limiter, policies, callers, pauses, settings));
	}

	private RateLimitedModels(ModelLimits limits) {
		this.limits = limits;
	}

	/**
	 * Returns this factory with another reserve.
	 * @param reserve what a call of a chat model reserves
	 * @return a factory
	 */
	public RateLimitedModels reserving(TokenReserve reserve) {
		return new RateLimitedModels(this.limits.with(this.limits.settings().withReserve(reserve)));
	}

	/**
	 * Returns a chat model whose calls and streams are limited. A call is charged once,
	 * even if the model itself calls tools, and so the provider, several times.
	 * @param model the model
	 * @param charged the policies that each call charges
	 * @return a model that calls the model; the model itself without policies
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, it can
	 * never admit the reserve, or it counts money and there are no prices
	 */
	public ChatModel limit(ChatModel model, ChatPolicies charged) {
		return charged.all().isEmpty() ? model
				: new LimitedChatModel(model, this.limits, this.limits.charged(charged, reserve()));
	}

	/**
	 * Returns an embedding model whose calls are limited. A call reserves the estimated
	 * tokens of its texts, whatever the reserve of chats.
	 * @param model the model
	 * @param charged the policies that each call charges
	 * @return a model that calls the model; the model itself without policies
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, or it
	 * counts money and there are no prices
	 */
	public EmbeddingModel limit(EmbeddingModel model, ChatPolicies charged) {
		return charged.all().isEmpty() ? model : new LimitedEmbeddingModel(model, this.limits,
				this.limits.charged(charged, TokenReserve.maxTokens(1)));
	}

	/**
	 * Returns an image model whose images are limited.
	 * @param model the model
	 * @param images the names of policies that count images, one permit each
	 * @param cost the names of policies that count money, in millionths of the currency
	 * of the prices
	 * @return a model that calls the model; the model itself without policies
	 * @throws InvalidRateLimitConfigurationException if there is no such policy, or it
	 * counts money and there are no prices of images
	 */
	public ImageModel limit(ImageModel model, List<String> images, List<String> cost) {
		List<ChargedPolicy> charged = this.limits.chargedByImages(images, cost);
		return charged.isEmpty() ? model : new LimitedImageModel(model, this.limits, charged);
	}

	private TokenReserve reserve() {
		return this.limits.settings().reserve();
	}

	/** A chat model whose calls charge policies. */
	private static final class LimitedChatModel implements ChatModel {

		private final ChatModel model;

		private final List<ChargedPolicy> policies;

		private final Callers callers;

		private final TokenReserve reserve;

		private final PromptSize size;

		private final ChargedCalls calls;

		private LimitedChatModel(ChatModel model, ModelLimits limits, List<ChargedPolicy> policies) {
			this.model = model;
			this.policies = policies;
			this.callers = limits.callers().current();
			this.reserve = limits.settings().reserve();
			this.size = limits.settings().promptSize();
			this.calls = limits.calls(() -> policies.get(0).name());
		}

		@Override
		public ChatOptions getOptions() {
			return this.model.getOptions();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			return this.calls.call(call(prompt, this.callers.ofThread()), () -> this.model.call(prompt),
					TokenUsage::find);
		}

		@Override
		public Flux<ChatResponse> stream(Prompt prompt) {
			return this.callers.ofSubscriber()
				.flatMapMany((caller) -> this.calls.stream(call(prompt, caller),
						Flux.defer(() -> this.model.stream(prompt)), TokenUsage::find));
		}

		private ModelCall call(Prompt prompt, Caller caller) {
			ModelOptions options = ModelOptions.of(prompt.getOptions())
				.orElse(ModelOptions.of(this.model.getOptions()));
			long tokens = ChargedPolicy.prompt(this.policies, () -> this.size.of(prompt));
			return ModelCall.of(this.policies, caller, options, this.reserve.least(options, tokens));
		}

	}

	/** An embedding model whose calls charge policies. */
	private static final class LimitedEmbeddingModel implements EmbeddingModel {

		private final EmbeddingModel model;

		private final List<ChargedPolicy> policies;

		private final Callers callers;

		private final PromptSize size;

		private final ChargedCalls calls;

		private LimitedEmbeddingModel(EmbeddingModel model, ModelLimits limits, List<ChargedPolicy> policies) {
			this.model = model;
			this.policies = policies;
			this.callers = limits.callers().current();
			this.size = limits.settings().promptSize();
			this.calls = limits.calls(() -> policies.get(0).name());
		}

		@Override
		public EmbeddingResponse call(EmbeddingRequest request) {
			return this.calls.call(call(request.getOptions(), request.getInstructions().stream()),
					() -> this.model.call(request), LimitedEmbeddingModel::usage);
		}

		/** Leaves the text of a document to the model, which reports no usage of it. */
		@Override
		public float[] embed(Document document) {
			return this.calls.call(call(null, Stream.ofNullable(getEmbeddingContent(document))),
					() -> this.model.embed(document), (embedding) -> null);
		}

		@Override
		public @Nullable String getEmbeddingContent(Document document) {
			return this.model.getEmbeddingContent(document);
		}

		@Override
		public int dimensions() {
			return this.model.dimensions();
		}

		private ModelCall call(@Nullable EmbeddingOptions options, Stream<String> texts) {
			return ModelCall.of(this.policies, this.callers.ofThread(),
					new ModelOptions((options != null) ? options.getModel() : null, null),
					new TokenUsage(this.size.of(texts), 0));
		}

		/** Returns the usage, which some models report as 0 if they do not know it. */
		private static @Nullable TokenUsage usage(EmbeddingResponse response) {
			TokenUsage usage = TokenUsage.find(response.getMetadata().getUsage());
			return (usage != null && usage.total() > 0) ? usage : null;
		}

	}

	/** An image model whose images charge policies. */
	private static final class LimitedImageModel implements ImageModel {

		private final ImageModel model;

		private final List<ChargedPolicy> policies;

		private final Callers callers;

		private final ChargedCalls calls;

		private LimitedImageModel(ImageModel model, ModelLimits limits, List<ChargedPolicy> policies) {
			this.model = model;
			this.policies = policies;
			this.callers = limits.callers().current();
			this.calls = limits.calls(() -> policies.get(0).name());
		}

		@Override
		public ImageResponse call(ImagePrompt prompt) {
			return this.calls.call(call(prompt.getOptions()), () -> this.model.call(prompt),
					(response) -> TokenUsage.images(response.getResults().size()));
		}

		private ModelCall call(@Nullable ImageOptions options) {
			Integer number = (options != null) ? options.getN() : null;
			return ModelCall.of(this.policies, this.callers.ofThread(),
					new ModelOptions((options != null) ? options.getModel() : null, null),
					TokenUsage.images((number != null) ? number : 1));
		}

	}

}
