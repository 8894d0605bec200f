package io.github.ratelimit.gateway;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Starts gateways on random ports.
 */
public final class Gateways {

	private Gateways() {
	}

	/** Starts a gateway on WebFlux and Netty. */
	public static ConfigurableApplicationContext webFlux(Class<?> configuration, String... properties) {
		return start(WebApplicationType.REACTIVE, new Class<?>[] { Netty.class, configuration }, properties);
	}

	/** Starts a gateway on Spring MVC and Tomcat. */
	public static ConfigurableApplicationContext webMvc(Class<?> configuration, String... properties) {
		return start(WebApplicationType.SERVLET, new Class<?>[] { configuration }, properties);
	}

	/** Returns the port of a gateway. */
	public static int port(ConfigurableApplicationContext gateway) {
		return Objects.requireNonNull(((WebServerApplicationContext) gateway).getWebServer()).getPort();
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, Class<?>[] configurations,
			String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--spring.main.banner-mode=off",
				"--spring.main.web-application-type=" + type.name().toLowerCase(Locale.ROOT),
				"--upstream=" + Upstream.shared().address(), "--spring.config.name=none"));
		Arrays.stream(properties).map((property) -> "--" + property).forEach(arguments::add);
		return new SpringApplicationBuilder(configurations).web(type).run(arguments.toArray(String[]::new));
	}

	/**
	 * Chooses the server, as there are two on the class path.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Netty {

		@Bean
		NettyReactiveWebServerFactory server() {
			return new NettyReactiveWebServerFactory();
		}

	}

}
