package io.github.ratelimit.spring.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * A broker in this JVM that all tests share.
 */
final class KafkaBroker implements BeforeAllCallback {

	private static final AtomicInteger TOPICS = new AtomicInteger();

	@Override
	public void beforeAll(ExtensionContext context) {
		running(context);
	}

	private static Running running(ExtensionContext context) {
		return context.getRoot()
			.getStore(Namespace.create(KafkaBroker.class))
			.computeIfAbsent(Running.class, (type) -> new Running(), Running.class);
	}

	/** Returns a new topic. */
	static String topic(int partitions) {
		String topic = "orders-" + TOPICS.incrementAndGet();
		Running.broker().addTopics(new NewTopic(topic, partitions, (short) 1));
		return topic;
	}

	static String address() {
		return Running.broker().getBrokersAsString();
	}

	/** A broker, which is stopped after the last test of a run. */
	private static final class Running implements AutoCloseable {

		private static final AtomicReference<EmbeddedKafkaBroker> CURRENT = new AtomicReference<>();

		Running() {
			EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1)
				.brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0",
						"transaction.state.log.replication.factor", "1", "transaction.state.log.min.isr", "1"));
			broker.afterPropertiesSet();
			CURRENT.set(broker);
		}

		static EmbeddedKafkaBroker broker() {
			return CURRENT.get();
		}

		@Override
		public void close() {
			broker().destroy();
		}

	}

}
