package io.github.ratelimit.spring.web;

import java.util.Objects;
import java.util.UUID;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The host that requests name, over HTTP/1.1 and HTTP/2.
 */
class HostIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private final String shop = "shop-" + UUID.randomUUID();

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void hasOneCountInEverySpelling(WebApplicationType type) {
		for (String path : new String[] { "/host", "/expression" }) {
			assertThat(overHttp1(type, path, this.shop)).as(path).isEqualTo(200);
			for (String spelling : new String[] { "SHOP" + this.shop.substring(4), this.shop + ".", this.shop + ":80",
					this.shop + ":8080", this.shop + ".:443" }) {
				assertThat(overHttp1(type, path, spelling)).as(path + " of " + spelling).isEqualTo(429);
				assertThat(overHttp2(type, path, spelling)).as(path + " of " + spelling + ", h2").isEqualTo(429);
			}
			assertThat(overHttp2(type, path, "other-" + this.shop)).as(path).isEqualTo(200);
			assertThat(overHttp2(type, path, "other-" + this.shop)).as(path).isEqualTo(429);
		}
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void isAHeaderOverHttp2AsOverHttp1(WebApplicationType type) {
		for (String path : new String[] { "/header", "/header-expression" }) {
			for (String host : new String[] { this.shop, this.shop + ":8080" }) {
				assertThat(overHttp2(type, path, host)).as(path + " of " + host).isEqualTo(200);
				assertThat(overHttp2(type, path, host)).as(path + " of " + host).isEqualTo(429);
				assertThat(overHttp1(type, path, host)).as(path + " of " + host).isEqualTo(429);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, none, 429", "REACTIVE, none, 429", "SERVLET, framework, 200", "REACTIVE, framework, 200",
			"SERVLET, native, 200", "REACTIVE, native, 200" })
	void isThatOfAForwardedHeaderWhereSpringTrustsIt(WebApplicationType type, String strategy, int status) {
		int port = port(type, strategy);
		assertThat(overHttp1(port, "/host", this.shop)).isEqualTo(200);
		assertThat(overHttp1(port, "/host", this.shop + "\r\nX-Forwarded-Host: forwarded-" + this.shop))
			.isEqualTo(status);
		assertThat(overHttp1(port, "/host", this.shop + "\r\nX-Forwarded-Host: FORWARDED-" + this.shop + ":8080"))
			.isEqualTo(429);
	}

	private static int overHttp1(WebApplicationType type, String path, String host) {
		return overHttp1(port(type, "none"), path, host);
	}

	private static int overHttp1(int port, String path, String host) {
		return RawClient.status(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
	}

	/** Sends the host as {@code :authority}, without an upgrade from HTTP/1.1. */
	private static int overHttp2(WebApplicationType type, String path, String host) {
		return Objects.requireNonNull(HttpClient.newConnection()
			.protocol(HttpProtocol.H2C)
			.headers((headers) -> headers.set(HttpHeaders.HOST, host))
			.get()
			.uri("http://localhost:" + port(type, "none") + path)
			.responseSingle((response, body) -> Mono.just(response.status().code()))
			.block());
	}

	private static int port(WebApplicationType type, String strategy) {
		return APPLICATIONS.get(type + strategy, () -> start(type, strategy))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String strategy) {
		String policy = "ratelimit.policies.";
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "server.http2.enabled=true", "server.forward-headers-strategy=" + strategy,
					"ratelimit.store=memory", policy + "host.limits=1/1h", policy + "host.key=host",
					policy + "host.on-missing-key=skip", policy + "expression.limits=1/1h",
					policy + "expression.key=#request.host", policy + "header.limits=1/1h",
					policy + "header.key=header:Host", policy + "header.on-missing-key=skip",
					policy + "header-expression.limits=1/1h", policy + "header-expression.key=#request.header('host')",
					policy + "header-expression.on-missing-key=skip")
			.properties("ratelimit.rules[0].paths=/host", "ratelimit.rules[0].policies=host",
					"ratelimit.rules[1].paths=/expression", "ratelimit.rules[1].policies=expression",
					"ratelimit.rules[2].paths=/header", "ratelimit.rules[2].policies=header",
					"ratelimit.rules[3].paths=/header-expression", "ratelimit.rules[3].policies=header-expression")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Controller.class)
	static class Application {

	}

	@RestController
	static class Controller {

		@GetMapping({ "/host", "/expression", "/header", "/header-expression" })
		String found() {
			return "ok";
		}

	}

}
