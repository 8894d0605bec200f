package io.github.ratelimit.spring.amqp;

import java.util.Map;
import java.util.Objects;

import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener.DefaultSystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.SystemConfig;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;

/**
 * A broker in this JVM.
 */
final class QpidBroker extends DefaultSystemLauncherListener implements AutoCloseable {

	private final SystemLauncher launcher = new SystemLauncher(this);

	private @Nullable SystemConfig<?> system;

	private QpidBroker() {
	}

	static QpidBroker start() {
		try {
			QpidBroker broker = new QpidBroker();
			broker.launcher.startup(Map.of("type", "Memory", "initialConfigurationLocation",
					new ClassPathResource("broker.json").getURL().toExternalForm(), "startupLoggedToSystemOut",
					"false"));
			return broker;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void onContainerResolve(SystemConfig<?> system) {
		this.system = system;
	}

	int port() {
		Broker<?> broker = (Broker<?>) Objects.requireNonNull(this.system).getContainer();
		return broker.getPorts().stream().mapToInt(Port::getBoundPort).findFirst().orElseThrow();
	}

	@Override
	public void close() {
		this.launcher.shutdown();
	}

}
