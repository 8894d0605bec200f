package io.github.ratelimit.spring.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.kafka.test.EmbeddedKafkaBroker;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * The broker that all tests share: one in a container of the image in the system property
 * {@code test.kafka.image}, else one in this JVM.
 */
final class KafkaBroker implements BeforeAllCallback {

	private static final @Nullable String IMAGE = System.getProperty("test.kafka.image");

	private static final AtomicReference<Running> CURRENT = new AtomicReference<>();

	private static final AtomicInteger TOPICS = new AtomicInteger();

	@Override
	public void beforeAll(ExtensionContext context) {
		CURRENT.set(context.getRoot()
			.getStore(Namespace.create(KafkaBroker.class))
			.computeIfAbsent(Running.class, (type) -> (IMAGE != null) ? container(IMAGE) : inThisJvm(), Running.class));
	}

	/** Returns a new topic. */
	static String topic(int partitions) {
		String topic = "orders-" + TOPICS.incrementAndGet();
		try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, address()))) {
			admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
			return topic;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String address() {
		return CURRENT.get().address();
	}

	private static Running container(String image) {
		KafkaContainer container = new KafkaContainer(
				DockerImageName.parse(image).asCompatibleSubstituteFor("apache/kafka"))
			.withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0");
		container.start();
		return new Running(container.getBootstrapServers(), container::close);
	}

	private static Running inThisJvm() {
		EmbeddedKafkaBroker broker = new EmbeddedKafkaKraftBroker(1, 1)
			.brokerProperties(Map.of("group.initial.rebalance.delay.ms", "0",
					"transaction.state.log.replication.factor", "1", "transaction.state.log.min.isr", "1"));
		broker.afterPropertiesSet();
		return new Running(broker.getBrokersAsString(), broker::destroy);
	}

	/** A broker, which is stopped after the last test of a run. */
	private record Running(String address, Runnable stop) implements AutoCloseable {

		@Override
		public void close() {
			this.stop.run();
		}

	}

}
