package io.github.ratelimit.autoconfigure.integration;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.ratelimit.spring.check.MissingIntegrations;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.annotation.SubscribeMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The check that an application without this module has.
 */
class MissingIntegrationsTests {

	private static final String MODULE = "the-module";

	@Test
	void findMethodsThatEachTechnologyCalls() {
		assertThat(called(true)).containsExactlyInAnyOrder("Handlers.batch() is called by GraphQL",
				"Handlers.composed() is called by Kafka", "Handlers.kafka() is called by Kafka",
				"Handlers.message() is called by STOMP", "Handlers.query() is called by GraphQL",
				"Handlers.rabbit() is called by RabbitMQ", "Handlers.subscription() is called by STOMP",
				"Service.call() is called by gRPC");
	}

	@Test
	void leaveMessagesThatAreNoneOfStomp() {
		assertThat(called(false)).doesNotContain("Handlers.message() is called by STOMP").hasSize(7);
	}

	private static List<String> called(boolean present) {
		List<String> called = new ArrayList<>();
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitMethodAutoConfiguration.class,
					RateLimitAutoConfiguration.class, RateLimitStoreAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.x.limits=5/1m")
			.withBean(Handlers.class)
			.withBean(Service.class)
			.run((context) -> called.addAll(findings(context.getBean(RateLimitedMethods.class), present)));
		return called;
	}

	private static List<String> findings(RateLimitedMethods methods, boolean present) {
		return new MissingIntegrations(methods, MODULE, (name) -> present).findings()
			.map(Finding::message)
			.map((message) -> message.substring(0, message.indexOf(", but '" + MODULE + "'")))
			.toList();
	}

	@Retention(RetentionPolicy.RUNTIME)
	@KafkaListener
	@interface OrderListener {

	}

	@RateLimited("x")
	static class Handlers {

		@KafkaListener
		void kafka() {
		}

		@OrderListener
		void composed() {
		}

		@RabbitListener
		void rabbit() {
		}

		@QueryMapping
		void query() {
		}

		@BatchMapping
		void batch() {
		}

		@MessageMapping("messages")
		void message() {
		}

		@SubscribeMapping("messages")
		void subscription() {
		}

		@SendTo("replies")
		void replies() {
		}

	}

	static class Service implements BindableService {

		@Override
		public ServerServiceDefinition bindService() {
			return ServerServiceDefinition.builder("service").build();
		}

		@RateLimited("x")
		void call() {
		}

	}

}
