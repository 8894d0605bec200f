package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * A WAR in a Tomcat that knows nothing of Spring: the container finds the initializer
 * among the classes of the WAR, and the application brings no server.
 */
class WarIT extends HttpContract {

	private static final Tomcat TOMCAT = new Tomcat();

	@BeforeAll
	static void deploy(@TempDir Path directory) throws IOException, LifecycleException {
		Path war = Files.createDirectories(directory.resolve("webapps/contract"));
		String initializer = ContractWar.class.getName().replace('.', '/') + ".class";
		Path inWar = war.resolve("WEB-INF/classes").resolve(initializer);
		Files.createDirectories(inWar.getParent());
		try (InputStream in = WarIT.class.getClassLoader().getResourceAsStream(initializer)) {
			Files.write(inWar, in.readAllBytes());
		}
		TOMCAT.setBaseDir(directory.toString());
		TOMCAT.setPort(0);
		TOMCAT.getConnector();
		TOMCAT.getHost().addChild(context(war));
		TOMCAT.start();
	}

	@AfterAll
	static void stop() throws LifecycleException {
		TOMCAT.stop();
		TOMCAT.destroy();
	}

	@Override
	Answer send(String method, String path, Map<String, String> headers, String body) {
		return new RealClient(TOMCAT.getConnector().getLocalPort()).send(method, path, headers, body);
	}

	private static Context context(Path war) {
		StandardContext context = new StandardContext();
		context.setName("");
		context.setPath("");
		context.setDocBase(war.toString());
		context.setParentClassLoader(WarIT.class.getClassLoader());
		ContextConfig config = new ContextConfig();
		config.setDefaultWebXml(Constants.NoDefaultWebXml);
		context.addLifecycleListener(config);
		return context;
	}

}
