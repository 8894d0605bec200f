package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import io.github.ratelimit.store.TestStore;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * A WAR in a Tomcat.
 */
@Tag("long")
class WarIT extends HttpContract {

	private static ExternalTomcat tomcat;

	@BeforeAll
	static void deploy(@TempDir Path directory) throws IOException, LifecycleException {
		tomcat = new ExternalTomcat(ContractWar.class, directory);
	}

	@AfterAll
	static void stop() throws LifecycleException {
		tomcat.stop();
	}

	@Override
	TestStore store() {
		return tomcat.bean(TestStore.class);
	}

	@Override
	Response send(String method, String path, Map<String, String> headers, String body) {
		return new RealClient(tomcat.port()).send(method, path, headers, body);
	}

}
