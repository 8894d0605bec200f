package io.github.ratelimit.spring.amqp;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

import org.springframework.core.io.ClassPathResource;

/**
 * A broker in this JVM that all tests share, or one on this machine at the port of
 * {@code test.amqp.port}.
 */
final class AmqpBroker implements BeforeAllCallback {

	private static final @Nullable Integer GIVEN = Integer.getInteger("test.amqp.port");

	private static final AtomicInteger QUEUES = new AtomicInteger();

	@Override
	public void beforeAll(ExtensionContext context) {
		if (GIVEN == null) {
			context.getRoot()
				.getStore(Namespace.create(AmqpBroker.class))
				.computeIfAbsent(Running.class, (type) -> Running.start(), Running.class);
		}
	}

	/** Returns the name of a new queue. */
	static String queue() {
		return "orders-" + QUEUES.incrementAndGet();
	}

	static int port() {
		return (GIVEN != null) ? GIVEN : Running.port;
	}

	/** A broker, which is stopped after the last test. */
	private static final class Running extends DefaultSystemLauncherListener implements AutoCloseable {

		private static int port;

		private final SystemLauncher launcher = new SystemLauncher(this);

		private @Nullable SystemConfig<?> system;

		static Running start() {
			try {
				Running running = new Running();
				running.launcher.startup(Map.of("type", "Memory", "initialConfigurationLocation",
						new ClassPathResource("broker.json").getURL().toExternalForm(), "startupLoggedToSystemOut",
						"false"));
				return running;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void onContainerResolve(SystemConfig<?> system) {
			this.system = system;
		}

		@Override
		public void afterStartup() {
			Broker<?> broker = (Broker<?>) Objects.requireNonNull(this.system).getContainer();
			port = broker.getPorts().stream().mapToInt(Port::getBoundPort).findFirst().orElseThrow();
		}

		@Override
		public void close() {
			this.launcher.shutdown();
		}

	}

}
