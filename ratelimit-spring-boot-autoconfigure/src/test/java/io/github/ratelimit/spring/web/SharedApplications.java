package io.github.ratelimit.spring.web;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Applications that the tests of a class share: each is started when a test needs it, and
 * stopped after the last test. Each test has callers, and so counts, of its own.
 */
final class SharedApplications implements AfterAllCallback {

	private final Map<Object, ConfigurableApplicationContext> running = new HashMap<>();

	/** Returns an application on Tomcat, or on Netty if it is reactive. */
	static SpringApplicationBuilder on(WebApplicationType type, Class<?> application) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(application).web(type);
		return (type == WebApplicationType.REACTIVE) ? builder.sources(NettyIT.Server.class) : builder;
	}

	/** Returns the application with a configuration. */
	ConfigurableApplicationContext get(Object configuration, Supplier<ConfigurableApplicationContext> start) {
		return this.running.computeIfAbsent(configuration, (key) -> start.get());
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.running.values().forEach(ConfigurableApplicationContext::close);
	}

}
