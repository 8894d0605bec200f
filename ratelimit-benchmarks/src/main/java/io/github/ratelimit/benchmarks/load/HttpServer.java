package io.github.ratelimit.benchmarks.load;

import java.util.List;

/**
 * A server of HTTP applications, and the properties that choose it.
 */
enum HttpServer {

	/** Tomcat, with threads of its own. */
	TOMCAT("Tomcat", "spring.main.web-application-type=servlet"),

	/** Tomcat, with a virtual thread for each request. */
	VIRTUAL("Tomcat, virtual threads", "spring.main.web-application-type=servlet",
			"spring.threads.virtual.enabled=true"),

	/** Netty. */
	NETTY("Netty", "spring.main.web-application-type=reactive");

	private final String title;

	private final List<String> properties;

	HttpServer(String title, String... properties) {
		this.title = title;
		this.properties = List.of(properties);
	}

	/** Returns the name in a table. */
	String title() {
		return this.title;
	}

	/** Returns what an application is started with. */
	List<String> properties() {
		return this.properties;
	}

}
