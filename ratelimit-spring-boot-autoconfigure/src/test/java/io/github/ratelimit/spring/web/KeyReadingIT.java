package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys of a request, next to what a parameter of a handler reads. The page on keys names
 * every row in which they differ.
 */
class KeyReadingIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private static final String MISSING = "missing";

	/** A bar in the header stands for a line break, and ~ for a space. */
	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "/header, X-Key: a, a, a", "/header, x-KEY: a, a, a",
			"/header, X-Key: A, A, A", "/header, X-Key:~~a~, a, a", "/header, X-Key: a~b, a~b, a~b",
			"/header, X-Key: %61, %61, %61", "/header, X-Key:, missing, ''", "/header, X-Other: a, missing, -",
			"/header, X-Key: a|X-Key: b, a, 'a,b'", "/header, 'X-Key: a,b', 'a,b', 'a,b'", "/cookie, Cookie: k=a, a, a",
			"/cookie, Cookie: k=A, A, A", "/cookie, Cookie: K=a, missing, -", "/cookie, Cookie: k=a; k=b, a, a",
			"/cookie, Cookie: k=a|Cookie: k=b, a, a", "/cookie, Cookie: k=, missing, ''",
			"/cookie, Cookie:~~k=a~, a, a", "/query?k=a, X: x, a, a", "/query?k=A, X: x, A, A",
			"/query?K=a, X: x, missing, -", "/query?%6B=%61, X: x, a, a", "/query?k=%20a+, X: x, ~a~, ~a~",
			"/query?k=%C3%A4, X: x, \u00E4, \u00E4", "/query?k=, X: x, missing, ''",
			"/query?x=1&&k=a=b, X: x, a=b, a=b", "/query?k=a&k=b, X: x, a, 'a,b'", "/query?k=&k=b, X: x, missing, ',b'",
			"/path/a, X: x, a, a", "/path/A, X: x, A, A", "/path/%61, X: x, a, a", "/path/%20a%20, X: x, ~a~, ~a~",
			"/path/%C3%A4, X: x, \u00E4, \u00E4", "/path/a+b, X: x, a+b, a+b" })
	void countsWhatAHandlerReads(String path, String header, String counted, @Nullable String read) {
		assertThat(Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)
			.map((type) -> type + ": " + readings(type, path, header))
			.toList()).containsExactly("SERVLET: " + spaced(counted) + " " + spaced(read),
					"REACTIVE: " + spaced(counted) + " " + spaced(read));
	}

	/** Only Spring MVC decodes the cookies of handlers. */
	@ParameterizedTest
	@CsvSource({ "SERVLET, %61 a", "REACTIVE, %61 %61" })
	void countsCookiesAsSent(WebApplicationType type, String readings) {
		assertThat(readings(type, "/cookie", "Cookie: k=%61")).isEqualTo(readings);
	}

	private static String spaced(@Nullable String text) {
		return (text != null) ? text.replace('~', ' ') : "null";
	}

	private static String readings(WebApplicationType type, String path, String header) {
		ConfigurableApplicationContext application = APPLICATIONS.get(type, () -> start(type));
		Counted counted = application.getBean(Counted.class);
		counted.key = null;
		counted.read = null;
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		assertThat(RawClient.status(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"
				+ spaced(header).replace("|", "\r\n") + "\r\nConnection: close\r\n\r\n"))
			.isEqualTo(200);
		String key = String.valueOf(counted.key);
		return (key.equals(MISSING) ? key : key.replaceFirst("^[a-z]+:[^:]+:", "")) + " " + counted.read;
	}

	private static ConfigurableApplicationContext start(WebApplicationType type) {
		List<String> words = List.of("header:X-Key", "cookie:k", "query:k", "path:k");
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=memory")
			.properties(words.stream().flatMap((word) -> {
				String name = word.substring(0, word.indexOf(':'));
				String rule = "ratelimit.rules[" + words.indexOf(word) + "].";
				return Stream.of("ratelimit.policies." + name + ".limits=1000/1h",
						"ratelimit.policies." + name + ".key=" + word, rule + "policies=" + name,
						rule + "paths=/" + name + (name.equals("path") ? "/{k}" : ""));
			}).toArray(String[]::new))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Counted.class })
	static class Application {

	}

	/** The last key that was counted, and what the handler read. */
	static final class Counted implements RateLimitListener {

		private volatile @Nullable String key;

		private volatile @Nullable String read;

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.key = charges.get(0).key();
		}

		String read(@Nullable String value) {
			this.read = value;
			return "read";
		}

	}

	@RestController
	static class Controller {

		private final Counted counted;

		Controller(Counted counted) {
			this.counted = counted;
		}

		@GetMapping("/header")
		String header(@RequestHeader(name = "X-Key", required = false) @Nullable String value) {
			return this.counted.read(value);
		}

		@GetMapping("/cookie")
		String cookie(@CookieValue(name = "k", required = false) @Nullable String value) {
			return this.counted.read(value);
		}

		@GetMapping("/query")
		String query(@RequestParam(name = "k", required = false) @Nullable String value) {
			return this.counted.read(value);
		}

		@GetMapping("/path/{k}")
		String path(@PathVariable("k") String value) {
			return this.counted.read(value);
		}

	}

}
