package io.github.ratelimit.spring.listener.docs;

import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class ListenersTests {

	@Test
	void startsWithTheListenersOfThePage() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withBean(Listeners.class)
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.invoices.limits=100/1m",
					"ratelimit.policies.mails.limits=10/1s", "ratelimit.policies.views.limits=100/1s",
					"spring.kafka.listener.auto-startup=false", "spring.kafka.consumer.group-id=page",
					"spring.rabbitmq.listener.simple.auto-startup=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainers()).hasSize(2);
				assertThat(context.getBean(RabbitListenerEndpointRegistry.class).getListenerContainers()).hasSize(1);
			});
	}

	/** An application with all that is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
