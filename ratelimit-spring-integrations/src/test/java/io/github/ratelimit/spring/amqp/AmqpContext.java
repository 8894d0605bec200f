package io.github.ratelimit.spring.amqp;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.integration.RateLimitAmqpAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.spring.listener.Admissions;
import io.github.ratelimit.spring.listener.Processed;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a queue and a listener.
 */
final class AmqpContext {

	private final String queue;

	private final ApplicationContextRunner runner;

	private AmqpContext(String queue, ApplicationContextRunner runner) {
		this.queue = queue;
		this.runner = runner;
	}

	/** Returns a context whose policy is {@code orders}. */
	static AmqpContext of(Class<? extends Processed> listener, String limits) {
		return of(AmqpBroker.queue(), listener, limits);
	}

	static AmqpContext of(String queue, Class<? extends Processed> listener, String limits) {
		return new AmqpContext(queue,
				new ApplicationContextRunner().withUserConfiguration(Application.class)
					.withBean(listener)
					.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.orders.limits=" + limits,
							"ratelimit.policies.orders.algorithm=sliding-window-log", "queue=" + queue,
							"spring.rabbitmq.port=" + AmqpBroker.port()));
	}

	AmqpContext with(String... properties) {
		return new AmqpContext(this.queue, this.runner.withPropertyValues(properties));
	}

	AmqpContext with(Class<?>... configurations) {
		return new AmqpContext(this.queue, this.runner.withUserConfiguration(configurations));
	}

	void run(Scenario scenario) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			scenario.run(new AmqpApplication(context, this.queue));
		});
	}

	/** A test of a started application. */
	interface Scenario {

		void run(AmqpApplication application) throws Exception;

	}

	/** An application with what a listener needs. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitMethodAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
			RateLimitAmqpAutoConfiguration.class, RabbitAutoConfiguration.class })
	static class Application {

		@Bean
		Admissions admissions() {
			return new Admissions();
		}

		/** Has containers stop sooner than within a second. */
		@Bean
		ContainerCustomizer<SimpleMessageListenerContainer> customizer() {
			return (container) -> container.setReceiveTimeout(50);
		}

		@Bean
		Queue queue(@Value("${queue}") String name) {
			return new Queue(name);
		}

	}

}
