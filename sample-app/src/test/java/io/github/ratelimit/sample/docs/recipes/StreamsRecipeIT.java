package io.github.ratelimit.sample.docs.recipes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.ratelimit.sample.docs.DocumentedApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Runs the recipe for streams on Tomcat and on Netty.
 */
@Tag("long")
class StreamsRecipeIT {

	private static final EnumerablePropertySource<?> SHOWN = DocumentedApplication.configuration("docs/recipes.md",
			"Streams per user");

	private final HttpClient client = HttpClient.newHttpClient();

	@ParameterizedTest
	@MethodSource
	void keepsFiveStreamsOfAUserOpen(WebApplicationType type, Class<?> streams,
			BiConsumer<ConfigurableApplicationContext, String> publisher) throws Exception {
		try (ConfigurableApplicationContext application = start(type, streams)) {
			List<HttpResponse<InputStream>> open = new ArrayList<>();
			for (int stream = 0; stream < 5; stream++) {
				open.add(open(application, "alice"));
			}
			assertThat(open).extracting(HttpResponse::statusCode).containsOnly(200);
			HttpResponse<InputStream> sixth = open(application, "alice");
			assertThat(sixth.statusCode()).isEqualTo(429);
			assertThat(sixth.headers().firstValue("Retry-After")).hasValue("1");
			assertThat(open(application, "bob").statusCode()).isEqualTo(200);
			publisher.accept(application, "news");
			assertThat(event(open.get(4))).isEqualTo("data:news");
			open.get(0).body().close();
			Awaitility.await().untilAsserted(() -> assertThat(open(application, "alice").statusCode()).isEqualTo(200));
		}
	}

	static Stream<Arguments> keepsFiveStreamsOfAUserOpen() {
		return Stream.of(
				arguments(WebApplicationType.SERVLET, Streams.class,
						publisher((application, event) -> application.getBean(Streams.class).publish(event))),
				arguments(WebApplicationType.REACTIVE, ReactiveStreams.class,
						publisher((application, event) -> application.getBean(ReactiveStreams.class).publish(event))));
	}

	private static BiConsumer<ConfigurableApplicationContext, String> publisher(
			BiConsumer<ConfigurableApplicationContext, String> publisher) {
		return publisher;
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, Class<?> streams) {
		return new SpringApplicationBuilder(Application.class, streams).web(type)
			.profiles("docs")
			.initializers((context) -> context.getEnvironment().getPropertySources().addLast(SHOWN))
			.run("--spring.config.name=none", "--server.port=0", "--server.shutdown=immediate",
					"--ratelimit.store=memory", "--streams.heartbeat=50ms");
	}

	private HttpResponse<InputStream> open(ConfigurableApplicationContext application, String user)
			throws IOException, InterruptedException {
		String port = application.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/streams"))
			.header(HttpHeaders.AUTHORIZATION, DocumentedApplication.credentials(user))
			.timeout(Duration.ofSeconds(30))
			.build();
		return this.client.send(request, BodyHandlers.ofInputStream());
	}

	private static String event(HttpResponse<InputStream> stream) {
		return new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8)).lines()
			.filter((line) -> line.startsWith("data:"))
			.findFirst()
			.orElseThrow();
	}

	/** Users with a password, whom Spring Security lets in alone. */
	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(user("alice"), user("bob"));
		}

		@Bean
		ReactiveUserDetailsService reactiveUsers() {
			return new MapReactiveUserDetailsService(user("alice"), user("bob"));
		}

		private static UserDetails user(String name) {
			return User.withUsername(name).password("{noop}secret").roles("USER").build();
		}

	}

}
