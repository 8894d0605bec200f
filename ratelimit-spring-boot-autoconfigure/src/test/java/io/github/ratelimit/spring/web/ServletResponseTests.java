package io.github.ratelimit.spring.web;

import java.security.Principal;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.TestStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class ServletResponseTests {

	private final WebApplicationContextRunner context = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class, WebMvcAutoConfiguration.class))
		.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.one.key=client-ip",
				"ratelimit.policies.user.limits=1/1h", "ratelimit.policies.user.key=principal,header:X-Api-Key")
		.withBean(Controller.class);

	@Test
	void respondsToADeniedCallWithProblemDetails() {
		with(this.context, (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk().bodyText().isEqualTo("ok");
			MvcTestResult denied = mvc.get().uri("/one").exchange();
			assertThat(denied).hasStatus(429)
				.hasContentType("application/problem+json")
				.hasHeader("Retry-After", "3600")
				.hasHeader("RateLimit-Policy", "\"one\";q=1;w=3600")
				.hasHeader("RateLimit", "\"one\";r=0;t=3600");
			assertThat(denied).bodyJson().isStrictlyEqualTo("""
					{"type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
					 "title": "Quota exceeded", "status": 429, "instance": "/one", "violated-policies": ["one"]}""");
		});
	}

	@Test
	void respondsSoWhateverTheClientAccepts() {
		with(this.context, (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk();
			for (String accept : new String[] { "text/html", "text/plain", "application/xml", "image/png" }) {
				assertThat(mvc.get().uri("/one").header("Accept", accept)).hasStatus(429)
					.hasContentType("application/problem+json");
			}
		});
	}

	@Test
	void countsByTheAddressOfThePeer() {
		with(this.context, (mvc) -> {
			assertThat(from(mvc, "192.0.2.1")).hasStatusOk();
			assertThat(from(mvc, "192.0.2.1")).hasStatus(429);
			assertThat(from(mvc, "192.0.2.2")).hasStatusOk();
			assertThat(mvc.get().uri("/one").header("X-Forwarded-For", "198.51.100.1").with((request) -> {
				request.setRemoteAddr("192.0.2.1");
				return request;
			})).hasStatus(429);
		});
	}

	@Test
	void countsByThePrincipalOrElseAHeader() {
		with(this.context, (mvc) -> {
			Principal alice = () -> "alice";
			assertThat(mvc.get().uri("/user").principal(alice)).hasStatusOk();
			assertThat(mvc.get().uri("/user").principal(alice)).hasStatus(429);
			assertThat(mvc.get().uri("/user").header("X-Api-Key", "alice")).hasStatusOk();
			assertThat(mvc.get().uri("/user").header("x-api-key", "alice")).hasStatus(429);
			assertThat(mvc.get().uri("/user").header("X-Api-Key", "bob")).hasStatusOk();
		});
	}

	@Test
	void respondsToAStoreFailureWithServiceUnavailable() {
		with(this.context.withBean(RateLimitStore.class, ServletResponseTests::failingStore)
			.withPropertyValues("ratelimit.on-store-failure=deny"), (mvc) -> {
				MvcTestResult failed = mvc.get().uri("/one").exchange();
				assertThat(failed).hasStatus(503)
					.hasHeader("Retry-After", "1")
					.hasContentType("application/problem+json");
				assertThat(failed).bodyText().contains("temporary-reduced-capacity").doesNotContain("secret");
			});
	}

	@Test
	void reportsNoLimitsWhereNoneAreKnown() {
		with(this.context.withBean(RateLimitStore.class, ServletResponseTests::failingStore)
			.withPropertyValues("ratelimit.on-store-failure=allow"), (mvc) -> {
				for (int call = 0; call < 3; call++) {
					assertThat(mvc.get().uri("/one")).hasStatusOk()
						.doesNotContainHeader("RateLimit")
						.doesNotContainHeader("RateLimit-Policy");
				}
			});
	}

	@Test
	void reportsTheShareOfThisInstanceWhereTheStoreFails() {
		with(this.context.withBean(RateLimitStore.class, ServletResponseTests::failingStore)
			.withPropertyValues("ratelimit.policies.one.limits=20/1h", "ratelimit.local-share=10"), (mvc) -> {
				assertThat(mvc.get().uri("/one")).hasStatusOk()
					.hasHeader("RateLimit-Policy", "\"one\";q=2;w=3600")
					.hasHeader("RateLimit", "\"one\";r=1;t=1800");
				assertThat(mvc.get().uri("/one")).hasStatusOk();
				assertThat(mvc.get().uri("/one")).hasStatus(429).hasHeader("Retry-After", "1800");
			});
	}

	@Test
	void respondsToAnUnsatisfiableCostWithoutInvitingToRetry() {
		with(this.context, (mvc) -> {
			MvcTestResult refused = mvc.get().uri("/costing?cost=2").exchange();
			assertThat(refused).hasStatus(422).doesNotContainHeader("Retry-After");
			assertThat(refused).bodyJson().extractingPath("$.violated-policies[0]").isEqualTo("one");
			assertThat(mvc.get().uri("/costing?cost=1")).hasStatusOk();
		});
	}

	@Test
	void respondsToAnUnknownCallerWithoutInvitingToRetry() {
		with(this.context.withPropertyValues("ratelimit.policies.user.on-missing-key=deny"), (mvc) -> {
			MvcTestResult refused = mvc.get().uri("/user").exchange();
			assertThat(refused).hasStatus(403)
				.hasContentType("application/problem+json")
				.doesNotContainHeader("Retry-After");
			assertThat(refused).bodyJson().isStrictlyEqualTo("""
					{"title": "Caller not identified", "status": 403, "instance": "/user",
					 "violated-policies": ["user"]}""");
			assertThat(mvc.get().uri("/user").header("X-Api-Key", "bob")).hasStatusOk();
		});
	}

	@Test
	void leavesTheResponseToAnExceptionHandlerOfTheApplication() {
		with(this.context.withBean(OwnAdvice.class), (mvc) -> {
			assertThat(mvc.get().uri("/one")).hasStatusOk();
			assertThat(mvc.get().uri("/one")).hasStatusOk()
				.bodyText()
				.isEqualTo("not so fast: Rate limit 'one' exceeded for Controller.one(): retry in 3600 s");
		});
	}

	private static TestStore failingStore() {
		return new TestStore().fail()
			.failWith(() -> new RateLimitStoreException("failed", new IllegalStateException("secret")));
	}

	private static void with(WebApplicationContextRunner application, Consumer<MockMvcTester> test) {
		application.run((context) -> test.accept(MockMvcTester.from(context)));
	}

	private static MvcTestResult from(MockMvcTester mvc, String address) {
		return mvc.get().uri("/one").with((request) -> {
			request.setRemoteAddr(address);
			return request;
		}).exchange();
	}

	@RestController
	static class Controller {

		@GetMapping("/one")
		@RateLimited("one")
		String one() {
			return "ok";
		}

		@GetMapping("/costing")
		@RateLimited(policy = "one", cost = "#cost")
		String costing(@RequestParam long cost) {
			return "ok";
		}

		@GetMapping("/user")
		@RateLimited("user")
		String user() {
			return "ok";
		}

	}

	@ControllerAdvice
	static class OwnAdvice {

		@ExceptionHandler
		@ResponseBody
		String handle(RateLimitExceededException ex) {
			return "not so fast: " + ex.getMessage();
		}

	}

}
