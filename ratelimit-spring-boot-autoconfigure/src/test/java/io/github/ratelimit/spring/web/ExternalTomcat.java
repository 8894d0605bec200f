package io.github.ratelimit.spring.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.apache.catalina.Context;
import org.apache.catalina.Globals;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * A Tomcat that knows nothing of Spring: it finds the initializer among the classes of a
 * WAR, and the application brings no server.
 */
final class ExternalTomcat {

	private final Tomcat tomcat = new Tomcat();

	private final Context context;

	/**
	 * A Tomcat that runs a WAR.
	 * @param initializer what it starts
	 * @param directory where it keeps its files
	 */
	ExternalTomcat(Class<? extends SpringBootServletInitializer> initializer, Path directory)
			throws IOException, LifecycleException {
		this.tomcat.setBaseDir(directory.toString());
		this.tomcat.setPort(0);
		this.tomcat.getConnector();
		this.context = context(war(initializer, directory));
		this.tomcat.getHost().addChild(this.context);
		this.tomcat.start();
	}

	int port() {
		return this.tomcat.getConnector().getLocalPort();
	}

	/** Returns a bean of the application in the WAR. */
	<T> T bean(Class<T> type) {
		return WebApplicationContextUtils.getRequiredWebApplicationContext(this.context.getServletContext())
			.getBean(type);
	}

	/** Stops it. Its folder must not remain the home of other Tomcats in this JVM. */
	void stop() throws LifecycleException {
		this.tomcat.stop();
		this.tomcat.destroy();
		System.clearProperty(Globals.CATALINA_BASE_PROP);
		System.clearProperty(Globals.CATALINA_HOME_PROP);
	}

	private static Path war(Class<?> initializer, Path directory) throws IOException {
		Path war = Files.createDirectories(directory.resolve("webapps/war"));
		String name = initializer.getName().replace('.', '/') + ".class";
		Path inWar = war.resolve("WEB-INF/classes").resolve(name);
		Files.createDirectories(inWar.getParent());
		try (InputStream in = initializer.getClassLoader().getResourceAsStream(name)) {
			Files.write(inWar, in.readAllBytes());
		}
		return war;
	}

	private static Context context(Path war) {
		StandardContext context = new StandardContext();
		context.setName("");
		context.setPath("");
		context.setDocBase(war.toString());
		context.setParentClassLoader(ExternalTomcat.class.getClassLoader());
		StandardJarScanner scanner = new StandardJarScanner();
		scanner.setScanClassPath(false);
		context.setJarScanner(scanner);
		ContextConfig config = new ContextConfig();
		config.setDefaultWebXml(Constants.NoDefaultWebXml);
		context.addLifecycleListener(config);
		return context;
	}

}
