package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.properties.PropertyCheck;
import io.github.ratelimit.autoconfigure.reload.ConditionalOnReload;
import io.github.ratelimit.autoconfigure.reload.Reloadable;
import io.github.ratelimit.autoconfigure.reload.ReloadableSection;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.key.KeyResolvers;
import io.github.ratelimit.spring.key.PolicyKeys;
import io.github.ratelimit.spring.stomp.RateLimitChannelInterceptor;
import io.github.ratelimit.spring.stomp.RateLimitStompConfigurer;
import io.github.ratelimit.spring.stomp.StompCallers;
import io.github.ratelimit.spring.stomp.StompRejections;
import io.github.ratelimit.spring.stomp.StompRoutes;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.web.socket.config.annotation.DelegatingWebSocketMessageBrokerConfiguration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/**
 * {@link AutoConfiguration Auto-configuration} for limits of STOMP messages over
 * WebSocket.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnClass(WebSocketMessageBrokerConfigurer.class)
@ConditionalOnBean(DelegatingWebSocketMessageBrokerConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StompProperties.class)
@ImportRuntimeHints(StompRuntimeHints.class)
public final class RateLimitStompAutoConfiguration {

	private static final String PLACE = "the messages of STOMP";

	@Bean("io.github.ratelimit.stompCallers")
	StompCallers rateLimitStompCallers() {
		return new StompCallers();
	}

	@Bean("io.github.ratelimit.stompRejections")
	StompRejections rateLimitStompRejections() {
		return new StompRejections();
	}

	@Bean("io.github.ratelimit.channelInterceptor")
	RateLimitChannelInterceptor rateLimitChannelInterceptor(StompProperties properties, RateLimiter limiter,
			Policies policies, KeyResolvers keys, BeanFactory beans) {
		return PropertyCheck.checked(StompProperties.POLICIES, properties.policies(),
				() -> new RateLimitChannelInterceptor(limiter, new PolicyKeys(policies, keys, keys.scope(), PLACE),
						properties.policies(),
						new StompRoutes(beans.getBeanProvider(SimpAnnotationMethodMessageHandler.class)::stream),
						beans.getBeanProvider(SimpMessagingTemplate.class)::getObject));
	}

	@Bean("io.github.ratelimit.stompConfigurer")
	RateLimitStompConfigurer rateLimitStompConfigurer(RateLimitChannelInterceptor interceptor) {
		return new RateLimitStompConfigurer(interceptor);
	}

	@Bean("io.github.ratelimit.stompReload")
	@ConditionalOnReload
	Reloadable rateLimitStompReload(RateLimitChannelInterceptor interceptor) {
		return new ReloadableSection(StompPropertyGroup.NAME, (properties, policies) -> {
			StompProperties read = properties.group(StompPropertyGroup.NAME, StompProperties.class);
			return PropertyCheck.checked(StompProperties.POLICIES, read.policies(),
					() -> interceptor.prepare(read.policies(), policies));
		});
	}

	@Bean("io.github.ratelimit.stompPolicies")
	PolicyUse rateLimitStompPolicies(RateLimitChannelInterceptor interceptor) {
		return PolicyUse.of(StompProperties.POLICIES, interceptor::names);
	}

}
