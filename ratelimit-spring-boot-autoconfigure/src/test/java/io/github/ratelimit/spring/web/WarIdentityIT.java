package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A WAR in a Tomcat, with peers of any loopback address.
 */
class WarIdentityIT extends IdentityContract {

	private static ExternalTomcat tomcat;

	private static Peers peers;

	@BeforeAll
	static void deploy(@TempDir Path directory) throws IOException, LifecycleException {
		tomcat = new ExternalTomcat(IdentityWar.class, directory);
		peers = new Peers(tomcat.port());
	}

	@AfterAll
	static void stop() throws LifecycleException {
		tomcat.stop();
	}

	@Override
	int status(String path, String peer, Map<String, List<String>> headers) {
		return peers.status(path, peer, headers);
	}

	@Override
	String sendable(String value) {
		return Peers.sendable(value);
	}

}
