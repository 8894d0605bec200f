package io.github.ratelimit.autoconfigure.integration;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.kafka.BackPressureKafkaRegistry;
import io.github.ratelimit.spring.kafka.KafkaBackPressure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
class RateLimitKafkaAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("ratelimit.store=memory");

	@Test
	void addsBackPressureToTheRegistryOfListeners() {
		this.context.run((context) -> assertThat(context).getBean(KafkaListenerEndpointRegistry.class)
			.isInstanceOf(BackPressureKafkaRegistry.class));
	}

	@Test
	void refusesARequestInAnExpressionAsRecordsHaveNone() {
		this.context.withClassLoader(new FilteredClassLoader("io.grpc"))
			.withBean(Limited.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"Limited.call is wrong: '#request' has no value in an application without a web " + "server"));
	}

	@Test
	void addsNothingWhereTurnedOff() {
		this.context.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(KafkaBackPressure.class)
				.getBean(KafkaListenerEndpointRegistry.class)
				.isExactlyInstanceOf(KafkaListenerEndpointRegistry.class));
	}

	@Test
	void startsWithoutSpringKafka() {
		this.context.withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaBackPressure.class));
	}

	/** A service that reads a request that no record has. */
	public static class Limited {

		@RateLimited(limit = "5/1m", key = "#request.path")
		public void call() {
		}

	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
