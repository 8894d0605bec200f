package io.github.ratelimit.spring.amqp;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.testcontainers.rabbitmq.RabbitMQContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The broker that all tests share: a RabbitMQ in a container of the image in the system
 * property {@code test.amqp.image}, else one in this JVM.
 */
final class AmqpBroker implements BeforeAllCallback {

	private static final @Nullable String IMAGE = System.getProperty("test.amqp.image");

	private static final AtomicReference<Running> CURRENT = new AtomicReference<>();

	private static final AtomicInteger QUEUES = new AtomicInteger();

	@Override
	public void beforeAll(ExtensionContext context) {
		CURRENT.set(context.getRoot()
			.getStore(Namespace.create(AmqpBroker.class))
			.computeIfAbsent(Running.class, (type) -> (IMAGE != null) ? container(IMAGE) : inThisJvm(), Running.class));
	}

	/** Returns the name of a new queue. */
	static String queue() {
		return "orders-" + QUEUES.incrementAndGet();
	}

	static int port() {
		return CURRENT.get().port();
	}

	private static Running container(String image) {
		RabbitMQContainer container = new RabbitMQContainer(
				DockerImageName.parse(image).asCompatibleSubstituteFor("rabbitmq"));
		container.start();
		return new Running(container.getAmqpPort(), container::close);
	}

	private static Running inThisJvm() {
		QpidBroker broker = QpidBroker.start();
		return new Running(broker.port(), broker::close);
	}

	/** A broker, which is stopped after the last test of a run. */
	private record Running(int port, Runnable stop) implements AutoCloseable {

		@Override
		public void close() {
			this.stop.run();
		}

	}

}
