package io.github.ratelimit.spring.kafka;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.integration.RateLimitKafkaAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.spring.listener.Admissions;
import io.github.ratelimit.spring.listener.Processed;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with a topic, a listener, and an error handler that recovers records
 * after their second failure.
 */
final class KafkaContext {

	private final String topic;

	private final ApplicationContextRunner runner;

	private KafkaContext(String topic, ApplicationContextRunner runner) {
		this.topic = topic;
		this.runner = runner;
	}

	/** Returns a context whose policy is {@code orders}. */
	static KafkaContext of(Class<? extends Processed> listener, String limits) {
		return of(KafkaBroker.topic(1), listener, limits);
	}

	static KafkaContext of(String topic, Class<? extends Processed> listener, String limits) {
		return new KafkaContext(topic, new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean(listener)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.orders.limits=" + limits,
					"ratelimit.policies.orders.algorithm=sliding-window-log", "topic=" + topic,
					"spring.kafka.bootstrap-servers=" + KafkaBroker.address(),
					"spring.kafka.consumer.group-id=" + topic, "spring.kafka.consumer.auto-offset-reset=earliest",
					"spring.kafka.consumer.fetch-max-wait=50ms",
					"spring.kafka.consumer.properties.heartbeat.interval.ms=200"));
	}

	KafkaContext with(String... properties) {
		return new KafkaContext(this.topic, this.runner.withPropertyValues(properties));
	}

	KafkaContext with(Class<?>... configurations) {
		return new KafkaContext(this.topic, this.runner.withUserConfiguration(configurations));
	}

	void run(Scenario scenario) {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			scenario.run(new KafkaApplication(context, this.topic));
		});
	}

	/** A test of a started application. */
	interface Scenario {

		void run(KafkaApplication application) throws Exception;

	}

	/** An application with what a listener needs. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitMethodAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
			RateLimitKafkaAutoConfiguration.class, KafkaAutoConfiguration.class })
	static class Application {

		@Bean
		Admissions admissions() {
			return new Admissions();
		}

		@Bean
		@ConditionalOnBooleanProperty(name = "recovery", matchIfMissing = true)
		Recovery recovery() {
			return new Recovery();
		}

	}

}
