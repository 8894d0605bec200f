package io.github.ratelimit.autoconfigure.check;

import java.util.List;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
	void findsCallsOfInheritedMethods() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=5/1m")
			.withBean(Heir.class)
			.run((context) -> assertThat(found(context, "self-call")).allMatch((text) -> text.contains("not limited"))
				.extracting((text) -> text.substring(0, text.indexOf(',')))
				.containsExactlyInAnyOrder("The method open() of the class Heir calls Base.guarded()",
						"The method up() of the class Heir calls Base.raised()",
						"The method over() of the same class calls Heir.replaced()",
						"The method check() of the class Heir calls Guard.checked()",
						"The method guard() of the interface Guard calls Heir.defined()",
						"The method ask() of the same class calls Guard.asked()",
						"The method help() of the same class calls Heir.helped()"));
	}

	/** Such a method runs on the proxy, as that cannot override it. */
	@Test
	void doubtsNoCallThatAFinalMethodMakesOnTheProxy() {
		this.application.withPropertyValues("ratelimit.policies.x.limits=1/1m")
			.withBean(Sealed.class)
			.run((context) -> {
				assertThat(found(context, "self-call")).isEmpty();
				Sealed sealed = context.getBean(Sealed.class);
				sealed.run();
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(sealed::run);
			});
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

	abstract static class Base {

		@RateLimited("x")
		public void guarded() {
		}

		@RateLimited("x")
		protected void raised() {
		}

		@RateLimited("x")
		void replaced() {
		}

	}

	interface Guard {

		@RateLimited("x")
		default void checked() {
		}

		@RateLimited("x")
		default void asked() {
		}

		default void ask() {
			asked();
		}

		void defined();

		default void guard() {
			defined();
		}

	}

	static class Heir extends Base implements Guard {

		void open() {
			guarded();
		}

		void up() {
			super.raised();
		}

		@Override
		void replaced() {
		}

		void over() {
			super.replaced();
		}

		void check() {
			Guard.super.checked();
		}

		@Override
		@RateLimited("x")
		public void defined() {
		}

		@RateLimited("x")
		void helped() {
		}

		void seekHelp() {
			help(1, this);
		}

		static void help(int times, Heir heir) {
			heir.helped();
		}

		@RateLimited("x")
		void compared() {
		}

		/** May get the proxy, as no method of an instance calls it. */
		static void compare(Heir heir) {
			heir.compared();
		}

		class Inner extends Task {

			void work() {
				super.run();
				seekHelp();
			}

		}

		@RateLimited("x")
		void run() {
		}

	}

	static class Task {

		void run() {
		}

	}

	abstract static class Opened {

		final void run() {
			limited();
		}

		abstract void limited();

	}

	static class Sealed extends Opened {

		@Override
		@RateLimited("x")
		void limited() {
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
