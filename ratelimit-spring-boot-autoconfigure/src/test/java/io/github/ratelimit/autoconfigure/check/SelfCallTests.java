package io.github.ratelimit.autoconfigure.check;

import java.util.List;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of limited methods that do not pass the proxy, and beans that cannot have one.
 */
class SelfCallTests {

	private final ApplicationContextRunner application = RateLimitContext.inMemory();

	@Test
	void findsHiddenWaysOfCallingAClass() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(Hidden.class)
			.withBean(Filled.class)
			.withBean(WithFallback.class)
			.run((context) -> assertThat(found(context, "self-call")).hasSize(6)
				.anyMatch((text) -> text.startsWith("The method refer() of the same class calls Hidden.referred(),"))
				.anyMatch((text) -> text.startsWith("The method nest() of an inner class calls Hidden.anonymous(),"))
				.anyMatch((text) -> text.startsWith("The method run() of an inner class calls Hidden.inner(),"))
				.anyMatch(
						(text) -> text.startsWith("The method apply() of the superclass Template calls Filled.fill(),"))
				.anyMatch((text) -> text.startsWith("The method lambda() of the same class calls Hidden.inLambda(),"))
				.anyMatch((text) -> text.startsWith(
						"The fallback of WithFallback.first() is WithFallback.second(), which is not limited")));
	}

	@Test
	void refusesLimitsOnServletFilters() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(LimitedFilter.class)
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("LimitedFilter is a servlet filter"));
	}

	private static List<String> found(ApplicationContext context, String id) {
		return context.getBean(Findings.class)
			.all()
			.stream()
			.filter((finding) -> finding.kind().id().equals(id))
			.map(Finding::message)
			.toList();
	}

	static class Hidden {

		void refer() {
			List.of("a").forEach(this::referred);
			List.of(this).forEach(Hidden::unbound);
		}

		void lambda() {
			List.of("a").forEach((each) -> inLambda());
		}

		void nest() {
			new Runnable() {

				@Override
				public void run() {
					anonymous();
				}

			}.run();
		}

		@RateLimited("x")
		void referred(String text) {
		}

		@RateLimited("x")
		void unbound() {
		}

		@RateLimited("x")
		void inLambda() {
		}

		@RateLimited("x")
		void anonymous() {
		}

		@RateLimited("x")
		void inner() {
		}

		@RateLimited("x")
		void another() {
		}

		class Inner {

			void run() {
				inner();
			}

		}

		/** May have the proxy. */
		static class Other {

			void run(Hidden hidden) {
				hidden.another();
			}

		}

	}

	abstract static class Template<T> {

		void apply(T value) {
			fill(value);
		}

		abstract void fill(T value);

	}

	static class Filled extends Template<String> {

		@Override
		@RateLimited("x")
		void fill(String value) {
		}

	}

	static class WithFallback {

		@RateLimited(policy = "x", fallback = "second")
		String first() {
			return "";
		}

		@RateLimited("x")
		String second() {
			return "";
		}

	}

	static class LimitedFilter implements Filter {

		@Override
		@RateLimited("x")
		public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {
		}

	}

}
