package io.github.ratelimit.autoconfigure.ai;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitClientAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.ai.ChatCallers;
import io.github.ratelimit.spring.ai.RateLimitedChatClients;
import io.github.ratelimit.spring.ai.RateLimitedModels;
import io.github.ratelimit.spring.ai.TokenSettings;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.client.UpstreamPauses;
import io.github.ratelimit.spring.key.CallerSource;
import io.github.ratelimit.spring.key.Callers;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.ReactiveCallerSource;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.tokenizer.TokenCountEstimator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of calls of language models.
 */
@AutoConfiguration(after = { RateLimitClientAutoConfiguration.class, RateLimitMethodAutoConfiguration.class })
@ConditionalOnClass(ChatClient.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(AiProperties.class)
@ImportRuntimeHints(AiRuntimeHints.class)
public final class RateLimitAiAutoConfiguration {

	@Bean("io.github.ratelimit.chatCallers")
	ChatCallers rateLimitChatCallers(KeyResolvers keys, ObjectProvider<CallerSource> threads,
			ObjectProvider<ReactiveCallerSource> subscribers) {
		return new ChatCallers(keys,
				new Callers(CallerSource.firstOf(threads.orderedStream().toList()), subscribers.getIfAvailable()));
	}

	@Bean("io.github.ratelimit.limitedChatClients")
	RateLimitedChatClients rateLimitedChatClients(RateLimiter limiter, Policies policies, ChatCallers callers,
			UpstreamPauses pauses, TokenSettings settings) {
		return new RateLimitedChatClients(limiter, policies, callers, pauses, settings);
	}

	@Bean("io.github.ratelimit.limitedModels")
	RateLimitedModels rateLimitedModels(RateLimiter limiter, Policies policies, ChatCallers callers,
			UpstreamPauses pauses, TokenSettings settings) {
		return new RateLimitedModels(limiter, policies, callers, pauses, settings);
	}

	@Bean("io.github.ratelimit.tokenSettings")
	TokenSettings rateLimitTokenSettings(AiProperties properties, ObjectProvider<TokenCountEstimator> estimator) {
		return properties.settings(estimator.getIfUnique());
	}

	@Bean("io.github.ratelimit.chatAdvisors")
	ConfiguredAdvisors rateLimitChatAdvisors(RateLimitedChatClients clients, AiProperties properties,
			TokenSettings settings) {
		return new ConfiguredAdvisors(clients, properties, settings);
	}

	@Bean("io.github.ratelimit.chatClientCustomizer")
	ChatClientBuilderCustomizer rateLimitChatClientCustomizer(ConfiguredAdvisors advisors) {
		return (builder) -> builder.defaultAdvisors(advisors.all());
	}

	@Bean("io.github.ratelimit.chatPolicies")
	PolicyUse rateLimitChatPolicies(ConfiguredAdvisors advisors) {
		return PolicyUse.of(AiProperties.PREFIX, advisors::policies);
	}

}
