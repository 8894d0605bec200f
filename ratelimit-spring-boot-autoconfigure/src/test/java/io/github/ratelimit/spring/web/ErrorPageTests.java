package io.github.ratelimit.spring.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.web.servlet.RateLimitFilter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dispatches that reach the limiter's filters first, as an earlier filter refused the
 * request or forwards it. In a WAR, error pages are forwards.
 */
class ErrorPageTests {

	@ParameterizedTest
	@CsvSource({ "ERROR, 401, false", "FORWARD, 401, false", "FORWARD, , true" })
	void areNotLimitedUnlikeOtherForwards(DispatcherType type, Integer error, boolean limited) {
		new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.few.limits=1/1h",
					"ratelimit.rules[0].paths=/**", "ratelimit.rules[0].policies=few")
			.run((context) -> {
				MvcTestResult page = dispatch(type, error, context);
				assertThat(page.getResponse().containsHeader("RateLimit")).isEqualTo(limited);
			});
	}

	private static MvcTestResult dispatch(DispatcherType type, Integer error, WebApplicationContext context) {
		Filter[] filters = context.getBeanProvider(RateLimitFilter.class).orderedStream().toArray(Filter[]::new);
		return MockMvcTester.from(context, (mvc) -> mvc.addFilters(filters).build())
			.get()
			.uri("/page")
			.with((request) -> {
				request.setDispatcherType(type);
				request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, error);
				return request;
			})
			.exchange();
	}

}
