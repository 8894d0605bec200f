package io.github.ratelimit.spring.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.spring.form.PostedForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.FileCopyUtils;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Rules whose key is a field of a form, before Spring MVC and WebFlux.
 */
class FormKeyIT {

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	private static final String FORM = "application/x-www-form-urlencoded";

	private final HttpClient client = HttpClient.newHttpClient();

	private final String email = UUID.randomUUID() + "@example.org";

	@ParameterizedTest
	@CsvSource({ "SERVLET, /mail", "REACTIVE, /mail", "SERVLET, /early", "REACTIVE, /early" })
	void countsEachValueOfTheField(WebApplicationType type, String path) {
		List<String> spellings = List.of("email=" + this.email,
				"x=1&email=%20" + this.email.toUpperCase(Locale.ROOT) + "+",
				"e%6Dail=%01" + this.email.replace("@", "%E2%80%8B%40") + "%C2%A0&mail=other");
		assertThat(spellings.stream().map((form) -> status(type, path + "/bound", form))).containsExactly(200, 200,
				429);
		assertThat(status(type, path + "/bound", "email=other-" + this.email)).isEqualTo(200);
	}

	@ParameterizedTest
	@MethodSource
	void leavesTheFormToTheApplication(WebApplicationType type, String handler) {
		String form = "email=" + this.email + "&x=1&x=%C3%A4+b&&y&z=%F0%9F%98%80";
		String query = "?q=2&x=0";
		assertThat(post(type, "/mail/" + handler + query, form))
			.isEqualTo(post(type, "/free/" + handler + query, form));
		assertThat(post(type, "/mail/" + handler, form)).isEqualTo(post(type, "/free/" + handler, form))
			.contains("200")
			.contains(this.email.substring(0, 36));
		assertThat(status(type, "/mail/" + handler, form)).isEqualTo(429);
	}

	static List<Arguments> leavesTheFormToTheApplication() {
		return Stream
			.concat(Stream.of("map", "text", "bound", "parameters", "stream", "reader", "later")
				.map((handler) -> arguments(WebApplicationType.SERVLET, handler)),
					Stream.of("bound", "parameters", "stream")
						.map((handler) -> arguments(WebApplicationType.REACTIVE, handler)))
			.toList();
	}

	@ParameterizedTest
	@MethodSource
	void hasNoKeyIfTheBodyDoesNotTell(WebApplicationType type, String contentType, String query, String form) {
		assertThat(status(type, "/strict", "email=" + this.email)).isEqualTo(200);
		assertThat(send(type, "POST", "/strict" + query, contentType, BodyPublishers.ofString(form)).statusCode())
			.isEqualTo(403);
	}

	static List<Arguments> hasNoKeyIfTheBodyDoesNotTell() {
		return Stream.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)
			.flatMap((type) -> Stream.of(arguments(type, FORM, "", "email=%zz"), arguments(type, FORM, "", "email=%"),
					arguments(type, FORM, "", "email=%FF"), arguments(type, FORM, "", "x=%zz&email=a"),
					arguments(type, FORM, "", "email=+"), arguments(type, FORM, "", "x=1"),
					arguments(type, FORM, "?email=b", "email=a"), arguments(type, FORM, "?e%6Dail=b", "email=a"),
					arguments(type, FORM, "", "email=a&x=" + "x".repeat(PostedForm.MOST_BYTES)),
					arguments(type, FORM, "", "email=a&email=b"), arguments(type, FORM, "", "email=a& email=b"),
					arguments(type, FORM, "", "email=a&Email=b"), arguments(type, FORM, "", "email=a&email%00=b"),
					arguments(type, FORM, "", "email=a&email%5B0%5D=b"), arguments(type, FORM, "?Email=b", "email=a"),
					arguments(type, FORM, "", "email=a\r\n"), arguments(type, FORM, "", "email=a\u007F"),
					arguments(type, FORM + ";charset=ISO-8859-1", "", "email=a"),
					arguments(type, FORM + ";charset=IBM037", "", "email=a"),
					arguments(type, FORM + ";charset=nonsense", "", "email=a"),
					arguments(type, "nonsense", "", "email=a"), arguments(type, "application/json", "", "email=a"),
					arguments(type, "multipart/form-data; boundary=b", "",
							"--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\na\r\n--b--\r\n")))
			.toList();
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void readsBodiesUpToABound(WebApplicationType type) {
		String form = "email=" + this.email + "&x=";
		assertThat(status(type, "/strict", form + "x".repeat(PostedForm.MOST_BYTES - form.length()))).isEqualTo(200);
		assertThat(status(type, "/strict", form + "x".repeat(PostedForm.MOST_BYTES - form.length() + 1)))
			.isEqualTo(403);
		BodyPublisher unannounced = BodyPublishers
			.ofInputStream(() -> new ByteArrayInputStream(form.getBytes(StandardCharsets.UTF_8)));
		assertThat(send(type, "POST", "/strict", FORM, unannounced).statusCode()).isEqualTo(403);
		assertThat(send(type, "PUT", "/strict", FORM, BodyPublishers.ofString(form)).statusCode()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void readsNoFormForAnotherKey(WebApplicationType type) {
		assertThat(post(type, "/mail/is-read", "email=" + this.email)).contains("true");
		assertThat(post(type, "/other/is-read", "email=" + this.email)).contains("false");
		assertThat(post(type, "/free/is-read", "email=" + this.email)).contains("false");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void knowsAFormThatAnEarlierFilterHasRead(WebApplicationType type) {
		int port = port(type, "spring.mvc.hiddenmethod.filter.enabled=true",
				"spring.webflux.hiddenmethod.filter.enabled=true");
		BodyPublisher form = BodyPublishers.ofString("email=" + this.email + "&x=1&x=2");
		HttpResponse<String> first = send(port, "POST", "/mail/parameters", FORM, form);
		assertThat(first.body()).isEqualTo(this.email + "[1, 2]");
		assertThat(send(port, "POST", "/mail/parameters?q=1", FORM, form).statusCode()).isEqualTo(200);
		assertThat(send(port, "POST", "/mail/parameters", FORM, form).statusCode()).isEqualTo(429);
		assertThat(send(port, "POST", "/strict", FORM, form).statusCode()).isEqualTo(200);
		assertThat(send(port, "POST", "/strict?email=b", FORM, form).statusCode()).isEqualTo(403);
	}

	@Test
	void leavesTheFormToAnErrorPage() {
		String form = "email=" + this.email + "&x=1";
		assertThat(post(WebApplicationType.SERVLET, "/mail/fails?x=0", form)).isEqualTo("409 " + this.email + "[0, 1]")
			.isEqualTo(post(WebApplicationType.SERVLET, "/free/fails?x=0", form));
	}

	private int status(WebApplicationType type, String path, String form) {
		return send(type, "POST", path, FORM, BodyPublishers.ofString(form)).statusCode();
	}

	private String post(WebApplicationType type, String path, String form) {
		HttpResponse<String> response = send(type, "POST", path, FORM, BodyPublishers.ofString(form));
		return response.statusCode() + " " + response.body();
	}

	private HttpResponse<String> send(WebApplicationType type, String method, String path, String contentType,
			BodyPublisher body) {
		return send(port(type), method, path, contentType, body);
	}

	private HttpResponse<String> send(int port, String method, String path, String contentType, BodyPublisher body) {
		try {
			return this.client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
				.version(HttpClient.Version.HTTP_1_1)
				.header("Content-Type", contentType)
				.method(method, body)
				.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int port(WebApplicationType type, String... more) {
		return APPLICATIONS.get(List.of(type, List.of(more)), () -> start(type, more))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
	}

	private static ConfigurableApplicationContext start(WebApplicationType type, String... more) {
		Class<?> application = (type == WebApplicationType.SERVLET) ? ServletApplication.class
				: ReactiveApplication.class;
		return SharedApplications.on(type, application)
			.properties("server.port=0", "ratelimit.store=memory", "ratelimit.policies.each-email.limits=2/1h",
					"ratelimit.policies.each-email.key=form:email", "ratelimit.policies.strict.limits=200/1h",
					"ratelimit.policies.strict.key=form:email", "ratelimit.policies.strict.on-missing-key=deny",
					"ratelimit.policies.everyone.limits=200/1h", "ratelimit.rules[0].paths=/mail/**",
					"ratelimit.rules[0].policies=each-email", "ratelimit.rules[1].paths=/early/**",
					"ratelimit.rules[1].policies=each-email", "ratelimit.rules[1].phase=before-security",
					"ratelimit.rules[2].paths=/strict", "ratelimit.rules[2].policies=strict",
					"ratelimit.rules[3].paths=/other/**", "ratelimit.rules[3].policies=everyone")
			.properties(more)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, ServletController.class })
	static class ServletApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, ReactiveController.class })
	static class ReactiveApplication {

	}

	@RestController
	static class Controller {

		@PostMapping({ "/mail/bound", "/early/bound", "/free/bound" })
		String bound(Fields form) {
			return form.toString();
		}

		@RequestMapping("/strict")
		String strict() {
			return "ok";
		}

	}

	@RestController
	static class ServletController implements ErrorController {

		@PostMapping({ "/mail/map", "/free/map" })
		String map(@RequestBody MultiValueMap<String, String> form) {
			return form.toString();
		}

		@PostMapping({ "/mail/text", "/free/text" })
		String text(@RequestBody String form) {
			return form;
		}

		@PostMapping({ "/mail/parameters", "/free/parameters" })
		String parameters(@RequestParam String email, @RequestParam List<String> x) {
			return email + x;
		}

		@PostMapping({ "/mail/stream", "/free/stream" })
		String stream(InputStream form) throws IOException {
			return new String(form.readAllBytes(), StandardCharsets.UTF_8);
		}

		@PostMapping({ "/mail/reader", "/free/reader" })
		String reader(Reader form) throws IOException {
			return FileCopyUtils.copyToString(form);
		}

		@PostMapping({ "/mail/later", "/free/later" })
		CompletableFuture<String> later(HttpServletRequest request) {
			return CompletableFuture.supplyAsync(() -> String.join(",", request.getParameterMap().keySet())
					+ request.getParameter("email") + List.of(request.getParameterValues("x")));
		}

		@PostMapping({ "/mail/fails", "/free/fails" })
		void fail(HttpServletResponse response) throws IOException {
			response.sendError(HttpServletResponse.SC_CONFLICT);
		}

		@RequestMapping("/error")
		String show(HttpServletRequest request) {
			return request.getParameter("email") + List.of(request.getParameterValues("x"));
		}

		@PostMapping({ "/mail/is-read", "/other/is-read", "/free/is-read" })
		boolean isRead(HttpServletRequest request) {
			return request.getAttribute(PostedForm.ATTRIBUTE) != null;
		}

	}

	@RestController
	static class ReactiveController {

		@PostMapping({ "/mail/parameters", "/free/parameters" })
		Mono<String> parameters(ServerWebExchange exchange) {
			return exchange.getFormData().map((form) -> form.getFirst("email") + form.get("x"));
		}

		@PostMapping({ "/mail/stream", "/free/stream" })
		Mono<String> stream(ServerHttpRequest request) {
			return DataBufferUtils.join(request.getBody()).map(ReactiveController::text);
		}

		private static String text(DataBuffer form) {
			String text = form.toString(StandardCharsets.UTF_8);
			DataBufferUtils.release(form);
			return text;
		}

		@PostMapping({ "/mail/is-read", "/other/is-read", "/free/is-read" })
		boolean isRead(ServerWebExchange exchange) {
			return exchange.getAttribute(PostedForm.ATTRIBUTE) != null;
		}

	}

	/**
	 * A form that Spring binds.
	 *
	 * @param email a field
	 * @param x a field that has several values
	 */
	record Fields(@Nullable String email, @Nullable List<String> x) {

	}

}
