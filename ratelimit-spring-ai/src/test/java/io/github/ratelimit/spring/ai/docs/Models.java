package io.github.ratelimit.spring.ai.docs;

import java.util.List;

import io.github.ratelimit.spring.ai.ChatPolicies;
import io.github.ratelimit.spring.ai.RateLimitedModels;

import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.image.ImageModel;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * Models that are called without a client.
 */
@Configuration(proxyBeanMethods = false)
class Models {

	@Bean
	@Primary
	EmbeddingModel limitedEmbeddings(@Qualifier("embeddings") EmbeddingModel model, RateLimitedModels models) {
		return models.limit(model,
				new ChatPolicies(List.of("embedding-calls"), List.of("embedding-tokens"), List.of()));
	}

	@Bean
	@Primary
	ImageModel limitedImages(@Qualifier("images") ImageModel model, RateLimitedModels models) {
		return models.limit(model, List.of("drawn-images"), List.of("image-money"));
	}

}
