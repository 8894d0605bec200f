package io.github.ratelimit.autoconfigure.check;

import java.util.List;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

class WebCheckTests {

	private static final String[] POLICIES = { "ratelimit.policies.x.limits=5/1m", "ratelimit.policies.y.limits=5/1m",
			"ratelimit.policies.idle.limits=5/1m", "ratelimit.policies.user.limits=5/1m",
			"ratelimit.policies.user.key=principal" };

	private final WebApplicationContextRunner servlet = new WebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
		.withBean(Api.class)
		.withPropertyValues(POLICIES);

	private final ReactiveWebApplicationContextRunner reactive = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(WebFluxAutoConfiguration.class))
		.withBean(Api.class)
		.withPropertyValues(POLICIES);

	@Test
	void findsPoliciesThatARuleAndAnAnnotationCharge() {
		onBoth((context) -> assertThat(found(context, "policy-charged-twice")).containsExactly(
				"A request for '/api/{id}/parts' charges the policy 'x' twice: by a rule, and by the annotation of "
						+ "Api.parts(). Remove one of them."),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].policies=x,y");
	}

	@Test
	void findsNoDoubleChargeOfOtherMethodsOrKeys() {
		onBoth((context) -> assertThat(found(context, "policy-charged-twice")).isEmpty(),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].methods=POST", "ratelimit.rules[0].policies=x",
				"ratelimit.rules[1].paths=/api/**", "ratelimit.rules[1].policies=user");
	}

	@Test
	void findsRulesThatMissDeeperPaths() {
		onBoth((context) -> assertThat(found(context, "shallow-rule")).containsExactly(
				"The rule on '/api/*' does not limit '/api/{id}/notes', as '*' is one segment of a path. Write '/api/**' "
						+ "to limit everything below."),
				"ratelimit.rules[0].paths=/api/*", "ratelimit.rules[0].policies=y");
	}

	@Test
	void findsNoDeeperPathsThatOtherRulesLimit() {
		onBoth((context) -> assertThat(found(context, "shallow-rule")).isEmpty(), "ratelimit.rules[0].paths=/api/*",
				"ratelimit.rules[0].policies=y", "ratelimit.rules[1].paths=/api/*/notes",
				"ratelimit.rules[1].policies=y", "ratelimit.rules[2].paths=/other/*", "ratelimit.rules[2].policies=y");
	}

	@Test
	void findsNoDeeperPathsOfExceptions() {
		onBoth((context) -> assertThat(found(context, "shallow-rule")).isEmpty(), "ratelimit.rules[0].paths=/api/**",
				"ratelimit.rules[0].except=/api/*,/api/*/notes", "ratelimit.rules[0].policies=y");
	}

	@Test
	void findsExceptionsThatMatchNoPath() {
		onBoth((context) -> assertThat(found(context, "unmatched-rule")).singleElement()
			.asString()
			.startsWith("The exception '/missing' of a rule probably excepts nothing: no controller"),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].except=/missing",
				"ratelimit.rules[0].policies=y");
	}

	@Test
	void findsKeysThatNeedAUserBeforeSpringSecurity() {
		onBoth((context) -> assertThat(found(context, "principal-before-security")).containsExactly(
				"A rule with 'phase: before-security' charges the policy 'user', whose key is 'principal'. There is no "
						+ "user yet. Use 'after-security', or a word that has a value there, such as the key 'client-ip'."),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].policies=user",
				"ratelimit.rules[0].phase=before-security");
		onBoth((context) -> assertThat(found(context, "principal-before-security")).isEmpty(),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].policies=user");
	}

	@Test
	void findsKeysOfClaimsBeforeSpringSecurity() {
		onBoth((context) -> assertThat(found(context, "principal-before-security")).singleElement()
			.asString()
			.contains("whose key is 'claim:org'"), "ratelimit.policies.org.limits=5/1m",
				"ratelimit.policies.org.key=client-ip,claim:org", "ratelimit.rules[0].paths=/api/**",
				"ratelimit.rules[0].policies=org", "ratelimit.rules[0].phase=before-security");
	}

	@Test
	void findsPermitsOfClaimsBeforeSpringSecurity() {
		onBoth((context) -> assertThat(found(context, "principal-before-security")).singleElement()
			.asString()
			.contains("whose permits are 'claim:rpm'"), "ratelimit.policies.org.limits=5/1m",
				"ratelimit.policies.org.permits=claim:rpm", "ratelimit.policies.org.max-permits=10",
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].policies=org",
				"ratelimit.rules[0].phase=before-security");
	}

	@Test
	void findsKeysThatNeedAUserWithoutSpringSecurity() {
		this.servlet.run((context) -> assertThat(found(context, "principal-without-security")).isEmpty());
		new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withPropertyValues(POLICIES)
			.withClassLoader(new FilteredClassLoader(Authentication.class))
			.run((context) -> assertThat(found(context, "principal-without-security")).containsExactly(
					"The key of the policy 'user' is 'principal', but the application has no Spring Security. Unless the "
							+ "server or a filter sets the user, no call has this key."));
	}

	@Test
	void findsNoUnusedPolicyThatARuleCharges() {
		onBoth((context) -> assertThat(found(context, "unused-policy")).singleElement().asString().contains("'idle'"),
				"ratelimit.rules[0].paths=/api/**", "ratelimit.rules[0].policies=y");
	}

	private void onBoth(Consumer<ApplicationContext> assertions, String... properties) {
		this.servlet.withPropertyValues(properties).run(assertions::accept);
		this.reactive.withPropertyValues(properties).run(assertions::accept);
	}

	private static List<String> found(ApplicationContext context, String id) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind().id().equals(id))
			.map(Finding::message)
			.toList();
	}

	@RestController
	static class Api {

		@GetMapping("/api/{id}")
		String one() {
			return "";
		}

		@GetMapping("/api/{id}/notes")
		String notes() {
			return "";
		}

		@GetMapping("/api/{id}/parts")
		@RateLimited("x")
		@RateLimited(policy = "user", key = "client-ip")
		String parts() {
			return "";
		}

	}

}
