package io.github.ratelimit.sample.docs.migration;

import java.time.Duration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.sample.docs.DocumentedApplication;
import io.github.ratelimit.sample.docs.migration.Exports.Caller;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs another limiter and ours as the migration pages advise, and what they show.
 */
@Tag("long")
class MigrationTests {

	private final DocumentedApplication application = DocumentedApplication.of("docs/migrate/switch.md",
			"Run ours in shadow", SearchController.class, HandWrittenLimits.class);

	@Test
	void leavesDecisionsToTheOtherLimiterInShadow() {
		this.application.with("hand-written=true").run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int call = 0; call < 3; call++) {
				assertThat(search(client, "192.0.2.1")).hasStatusOk().headers().doesNotContainHeader("RateLimit");
			}
			assertThat(search(client, "192.0.2.1")).hasStatus(429).headers().doesNotContainHeader("Retry-After");
			assertThat(count(context, "allowed")).isEqualTo(3);
			assertThat(count(context, "shadow_denied")).isEqualTo(1);
		});
	}

	@Test
	void showsWhereTheLimitersDiffer() {
		this.application.with("hand-written=true").run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			this.application.advance(Duration.ofSeconds(59));
			for (int call = 0; call < 3; call++) {
				assertThat(search(client, "192.0.2.1")).hasStatusOk();
			}
			this.application.advance(Duration.ofSeconds(1));
			context.getBean(HandWrittenLimit.class).clear();
			assertThat(search(client, "192.0.2.1")).hasStatusOk();
			assertThat(count(context, "shadow_denied")).isEqualTo(1);
		});
	}

	@Test
	void continuesTheCountsOfTheShadowOnceItIsEnforced() {
		this.application.with("hand-written=true").run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int call = 0; call < 3; call++) {
				assertThat(search(client, "192.0.2.1")).hasStatusOk();
			}
		});
		this.application.with("ratelimit.policies.search.mode=enforce").run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			assertThat(search(client, "192.0.2.1")).hasStatus(429).headers().hasValue("Retry-After", "60");
			assertThat(search(client, "192.0.2.2")).hasStatusOk();
			this.application.advance(Duration.ofMinutes(1));
			assertThat(search(client, "192.0.2.1")).hasStatusOk();
		});
	}

	@Test
	void limitsUsersByAnnotationAndInCode() {
		limiter("Redisson's RRateLimiter", UserExports.class).run((context) -> {
			UserExports exports = context.getBean(UserExports.class);
			for (int call = 0; call < 5; call++) {
				assertThat(exports.exportFor("alice")).isEqualTo("Articles of alice");
				assertThat(exports.tryExport("bob")).isTrue();
			}
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> exports.exportFor("alice"));
			assertThat(exports.tryExport("bob")).isFalse();
		});
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = { "Bucket4j's starter, 5", "Resilience4j's RateLimiter, 10" })
	void limitsMethodsAsThePageShows(String heading, int permits) {
		limiter(heading, Exports.class).run((context) -> {
			Caller caller = new Caller(context.getBean(Exports.class));
			for (int call = 0; call < permits; call++) {
				assertThat(caller.exportOrLastOne()).isEqualTo("All articles");
			}
			assertThat(caller.exportOrLastOne()).isEqualTo("The articles of yesterday");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Spring Cloud Gateway's RequestRateLimiter", "Your own Lua" })
	void limitsPathsAsThePageShows(String heading) {
		limiter(heading, SearchController.class).run((context) -> {
			MockMvcTester client = DocumentedApplication.client(context);
			for (int call = 0; call < 20; call++) {
				assertThat(search(client, "192.0.2.1")).hasStatusOk();
			}
			assertThat(search(client, "192.0.2.1")).hasStatus(429).headers().containsHeader("Retry-After");
		});
	}

	private static DocumentedApplication limiter(String heading, Class<?>... types) {
		return DocumentedApplication.of("docs/migrate/limiters.md", heading, types);
	}

	private static MvcTestResult search(MockMvcTester client, String address) {
		return client.get()
			.uri("/search")
			.header("Authorization", DocumentedApplication.credentials("alice"))
			.with((request) -> {
				request.setRemoteAddr(address);
				return request;
			})
			.exchange();
	}

	private static double count(WebApplicationContext context, String outcome) {
		return context.getBean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("policy", "search", "outcome", outcome)
			.counter()
			.count();
	}

	/**
	 * The endpoint that both limiters guard.
	 */
	@Profile("docs")
	@RestController
	static class SearchController {

		@GetMapping("/search")
		String search() {
			return "Results";
		}

	}

	/**
	 * The other limiter, as long as it is there.
	 */
	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("hand-written")
	static class HandWrittenLimits {

		@Bean
		HandWrittenLimit handWrittenLimit() {
			return new HandWrittenLimit();
		}

		@Bean
		WebMvcConfigurer handWrittenLimitOfRequests(HandWrittenLimit limit) {
			return new WebMvcConfigurer() {
				@Override
				public void addInterceptors(InterceptorRegistry registry) {
					registry.addInterceptor(limit);
				}
			};
		}

	}

}
