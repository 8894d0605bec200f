package io.github.ratelimit.autoconfigure.integration;

import java.util.List;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.spring.amqp.BackPressureRabbitRegistry;
import io.github.ratelimit.spring.amqp.RabbitBackPressure;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
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

	@Test
	void findsListenersThatNothingPauses() {
		ApplicationContextRunner listening = this.context.withBean(Mails.class);
		listening.withClassLoader(new FilteredClassLoader(MessageListenerContainer.class))
			.run((context) -> assertThat(unpaused(context)).containsExactly(
					"A denial of Mails.send() is a failure of its message, as nothing pauses the listener. Add "
							+ "'ratelimit-spring-integrations' and Spring AMQP 4.1 or later."));
		listening.run((context) -> assertThat(unpaused(context)).isEmpty());
	}

	private static List<String> unpaused(ApplicationContext context) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind() == Finding.Kind.UNPAUSED_LISTENER)
			.map(Finding::message)
			.toList();
	}

	/** Listeners, of which one handles what is denied. */
	public static class Mails {

		@RabbitListener(queues = "mails", autoStartup = "false")
		@RateLimited(limit = "5/1m")
		public void send(String mail) {
		}

		@RabbitListener(queues = "news", autoStartup = "false")
		@RateLimited(limit = "5/1m", fallback = "skip")
		public void publish(String news) {
		}

		public void skip(String news) {
		}

	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
