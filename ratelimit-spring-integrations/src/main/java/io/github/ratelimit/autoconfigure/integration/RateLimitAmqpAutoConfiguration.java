package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.spring.amqp.BackPressureRabbitRegistry;
import io.github.ratelimit.spring.amqp.RabbitBackPressure;
import io.github.ratelimit.spring.amqp.ReturnAdvice;
import io.github.ratelimit.spring.amqp.ReturnAdvicePostProcessor;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.config.RabbitListenerConfigUtils;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * {@link AutoConfiguration Auto-configuration} for back-pressure in RabbitMQ listeners.
 * It needs Spring AMQP 4.1, the first with a common interface of containers.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnClass({ RabbitListenerEndpointRegistry.class, MessageListenerContainer.class })
public final class RateLimitAmqpAutoConfiguration {

	@Bean("io.github.ratelimit.rabbitRegistryPostProcessor")
	static ListenerRegistryPostProcessor rateLimitRabbitRegistryPostProcessor() {
		return new ListenerRegistryPostProcessor(RabbitListenerConfigUtils.RABBIT_LISTENER_ENDPOINT_REGISTRY_BEAN_NAME,
				RabbitListenerEndpointRegistry.class, BackPressureRabbitRegistry.class);
	}

	@Bean("io.github.ratelimit.rabbitReturnAdvice")
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ReturnAdvice rateLimitRabbitReturnAdvice() {
		return new ReturnAdvice();
	}

	@Bean("io.github.ratelimit.rabbitReturnAdvicePostProcessor")
	static ReturnAdvicePostProcessor rateLimitRabbitReturnAdvicePostProcessor(ReturnAdvice advice) {
		return new ReturnAdvicePostProcessor(advice);
	}

	@Bean("io.github.ratelimit.rabbitBackPressure")
	@ConditionalOnMissingBean
	RabbitBackPressure rateLimitRabbitBackPressure(ReturnAdvice advice) {
		return new RabbitBackPressure(advice, RabbitBackPressure.LONGEST_HOLD);
	}

}
