package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.spring.amqp.BackPressureRabbitRegistry;
import io.github.ratelimit.spring.amqp.RabbitBackPressure;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitAmqpAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory");

	@Test
	void addsBackPressureToTheRegistryOfListeners() {
		this.context.run((context) -> assertThat(context).getBean(RabbitListenerEndpointRegistry.class)
			.isInstanceOf(BackPressureRabbitRegistry.class));
	}

	@Test
	void addsNothingWhereTurnedOff() {
		this.context.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RabbitBackPressure.class)
				.getBean(RabbitListenerEndpointRegistry.class)
				.isExactlyInstanceOf(RabbitListenerEndpointRegistry.class));
	}

	@Test
	void startsWithoutSpringAmqp() {
		this.context.withClassLoader(new FilteredClassLoader("org.springframework.amqp"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RabbitBackPressure.class));
	}

	@Test
	void startsWithSpringAmqpBefore41() {
		this.context.withClassLoader(new FilteredClassLoader(MessageListenerContainer.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RabbitBackPressure.class));
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
