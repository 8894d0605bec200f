package io.github.ratelimit.spring.amqp;

import io.github.ratelimit.spring.listener.Admissions;
import io.github.ratelimit.spring.listener.Processed;

import org.springframework.amqp.core.Queue;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
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

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Admissions admissions() {
			return new Admissions();
		}

		@Bean
		Queue queue(@Value("${queue}") String name) {
			return new Queue(name);
		}

	}

}
