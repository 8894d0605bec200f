package io.github.ratelimit.spring.ai.docs;

import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import org.junit.jupiter.api.Test;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.image.Image;
import org.springframework.ai.image.ImageGeneration;
import org.springframework.ai.image.ImageModel;
import org.springframework.ai.image.ImagePrompt;
import org.springframework.ai.image.ImageResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ModelsTests {

	@Test
	void limitsTheModelsOfTheExample() {
		new ApplicationContextRunner().withUserConfiguration(Application.class, Models.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.embedding-calls.limits=1/1h",
					"ratelimit.policies.embedding-tokens.limits=1000/1h", "ratelimit.policies.drawn-images.limits=5/1h",
					"ratelimit.policies.image-money.limits=100000/1d", "ratelimit.ai.image-prices.[gpt-image-1]=0.01",
					"ratelimit.ai.image-prices.default=0.06")
			.run((context) -> {
				EmbeddingModel embeddings = context.getBean(EmbeddingModel.class);
				assertThat(embeddings.embed("Hello")).hasSize(1);
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> embeddings.embed("Hello"))
					.withMessageContaining("'embedding-calls'");
				ImageModel images = context.getBean(ImageModel.class);
				assertThat(images.call(new ImagePrompt("A tree")).getResults()).hasSize(1);
				assertThatExceptionOfType(RateLimitExceededException.class)
					.isThrownBy(() -> images.call(new ImagePrompt("A tree")))
					.withMessageContaining("'image-money'");
			});
	}

	/** An application with all that is on the class path, and models. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		EmbeddingModel embeddings() {
			return new EmbeddingModel() {

				@Override
				public EmbeddingResponse call(EmbeddingRequest request) {
					return new EmbeddingResponse(List.of(new Embedding(new float[1], 0)));
				}

				@Override
				public float[] embed(Document document) {
					return new float[1];
				}

			};
		}

		@Bean
		ImageModel images() {
			return (prompt) -> new ImageResponse(List.of(new ImageGeneration(new Image(null, ""))));
		}

	}

}
