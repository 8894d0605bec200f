package io.github.ratelimit.spring.web;

import java.util.Locale;
import java.util.Map;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rejections in the words of an application, and of policies that it hides.
 */
class ToldProblemsIT {

	private static final String TITLE = "problemDetail.title.io.github.ratelimit.";

	private static final String DETAIL = "problemDetail.io.github.ratelimit.";

	@RegisterExtension
	static final SharedApplications APPLICATIONS = new SharedApplications();

	/** Paths with a dot are not prepared in Spring MVC. */
	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void tellDenialsInTheLanguageOfTheRequest(WebApplicationType type) {
		for (String path : new String[] { "/rule/full", "/rule/full.txt", "/annotated", "/bean" }) {
			assertThat(denied(type, path, "de")).as(path)
				.contains("\"title\":\"Zu viele Anfragen\"", "\"detail\":\"Bitte warten.\"");
			assertThat(denied(type, path, "fr")).as(path)
				.contains("\"title\":\"Trop de demandes\"")
				.doesNotContain("detail");
			assertThat(denied(type, path, "de")).as(path).contains("Zu viele Anfragen");
			assertThat(denied(type, path, "it")).as(path)
				.contains("\"title\":\"Quota exceeded\"")
				.doesNotContain("detail");
		}
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void useTheLanguageOfTheApplicationIfTheRequestNamesNone(WebApplicationType type) {
		get(type, "/rule/full", Map.of());
		assertThat(get(type, "/rule/full", Map.of()).body()).contains("Trop de demandes");
		get(type, "/annotated", Map.of());
		assertThat(get(type, "/annotated", Map.of()).body()).contains("Trop de demandes");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void tellOtherRejectionsToo(WebApplicationType type) {
		Response blocked = get(type, "/rule/full", Map.of("X-Blocked", "yes", "Accept-Language", "de"));
		assertThat(blocked.status()).isEqualTo(403);
		assertThat(blocked.body()).contains("\"title\":\"Kein Zugang\"", "\"violated-policies\":[\"full\"]");
		Response cost = get(type, "/cost?cost=1000", Map.of("Accept-Language", "de"));
		assertThat(cost.status()).isEqualTo(422);
		assertThat(cost.body()).contains("\"title\":\"Zu teuer\"");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void showOnlyPoliciesThatAreNotHidden(WebApplicationType type) {
		Response admitted = get(type, "/rule/waves", Map.of());
		assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"quota\";q=100;w=60");
		assertThat(admitted.header("RateLimit")).startsWith("\"quota\";r=");
		Response denied = get(type, "/rule/waves", Map.of());
		assertThat(denied.status()).isEqualTo(429);
		assertThat(denied.header("Retry-After")).isNotNull();
		assertThat(denied.header("RateLimit-Policy")).isEqualTo("\"quota\";q=100;w=60");
		assertThat(denied.body()).doesNotContain("flood\"", "violated-policies");
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "NONE")
	void showNothingIfAllPoliciesAreHidden(WebApplicationType type) {
		assertThat(get(type, "/hidden?cost=1000", Map.of()).body()).contains("Too large for its quota")
			.doesNotContain("violated-policies");
		get(type, "/hidden?cost=2", Map.of());
		Response denied = get(type, "/hidden?cost=2", Map.of());
		assertThat(denied.status()).isEqualTo(429);
		assertThat(denied.header("Retry-After")).isNotNull();
		assertThat(denied.header("RateLimit")).isNull();
		assertThat(denied.header("RateLimit-Policy")).isNull();
		assertThat(denied.body()).doesNotContain("violated-policies");
		assertThat(get(type, "/hidden?cost=1", Map.of("X-Blocked", "yes")).body()).contains("Caller blocked")
			.doesNotContain("violated-policies");
	}

	private static String denied(WebApplicationType type, String path, String language) {
		get(type, path, Map.of("Accept-Language", language));
		Response denied = get(type, path, Map.of("Accept-Language", language));
		assertThat(denied.status()).isEqualTo(429);
		return denied.body();
	}

	private static Response get(WebApplicationType type, String path, Map<String, String> headers) {
		int port = APPLICATIONS.get(type, () -> start(type))
			.getEnvironment()
			.getRequiredProperty("local.server.port", Integer.class);
		return new RealClient(port).send("GET", path, headers, "");
	}

	private static ConfigurableApplicationContext start(WebApplicationType type) {
		return SharedApplications.on(type, Application.class)
			.properties("server.port=0", "ratelimit.store=memory", "spring.web.locale=fr",
					"ratelimit.policies.full.limits=1/1h", "ratelimit.policies.full.blocked=header:X-Blocked:yes",
					"ratelimit.policies.flood.limits=1/1h", "ratelimit.policies.flood.headers=hidden",
					"ratelimit.policies.quota.limits=100/1m", "ratelimit.policies.secret.limits=3/1h",
					"ratelimit.policies.secret.headers=hidden",
					"ratelimit.policies.secret.blocked=header:X-Blocked:yes", "ratelimit.rules[0].paths=/rule/full*",
					"ratelimit.rules[0].policies=full", "ratelimit.rules[1].paths=/rule/waves",
					"ratelimit.rules[1].policies=flood,quota")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Service.class })
	static class Application {

		@Bean
		MessageSource messageSource() {
			StaticMessageSource messages = new StaticMessageSource();
			messages.addMessage(TITLE + "RateLimitExceededException", Locale.GERMAN, "Zu viele Anfragen");
			messages.addMessage(DETAIL + "RateLimitExceededException", Locale.GERMAN, "Bitte warten.");
			messages.addMessage(TITLE + "RateLimitExceededException", Locale.FRENCH, "Trop de demandes");
			messages.addMessage(TITLE + "RefusedCallerException", Locale.GERMAN, "Kein Zugang");
			messages.addMessage(TITLE + "policy.InvalidCostException", Locale.GERMAN, "Zu teuer");
			return messages;
		}

	}

	@RestController
	static class Controller {

		private final Service service;

		Controller(Service service) {
			this.service = service;
		}

		@GetMapping("/rule/**")
		String rule() {
			return "ok";
		}

		@GetMapping("/annotated")
		@RateLimited("full")
		String annotated() {
			return "ok";
		}

		@GetMapping("/bean")
		String bean() {
			return this.service.call();
		}

		@GetMapping("/cost")
		@RateLimited(policy = "quota", cost = "#cost")
		String cost(@RequestParam long cost) {
			return "ok " + cost;
		}

		@GetMapping("/hidden")
		@RateLimited(policy = "secret", cost = "#cost")
		Mono<String> hidden(@RequestParam long cost) {
			return Mono.just("ok " + cost);
		}

	}

	static class Service {

		@RateLimited("full")
		String call() {
			return "ok";
		}

	}

}
