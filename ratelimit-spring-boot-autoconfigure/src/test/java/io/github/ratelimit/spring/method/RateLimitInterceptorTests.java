package io.github.ratelimit.spring.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class RateLimitInterceptorTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.two.limits=2/1h", "ratelimit.policies.five.limits=5/1h",
				"my.limit=1/1h")
		.withBean(Service.class)
		.withBean(LimitedClass.class)
		.withBean(Greeter.class, EnglishGreeter::new);

	@Test
	void deniesTheCallAfterTheLast() {
		with((service) -> {
			assertThat(service.plain("a")).isEqualTo("a");
			assertThat(service.plain("b")).isEqualTo("b");
			assertDenied(() -> service.plain("c"));
		});
	}

	@Test
	void limitsMethodsThatAreNotPublic() {
		with((service) -> {
			service.packagePrivate();
			service.packagePrivate();
			assertDenied(service::packagePrivate);
		});
	}

	@Test
	void passesOnWhatTheMethodThrowsAndChargesIt() {
		with((service) -> {
			assertThatIllegalStateException().isThrownBy(service::failing).withMessage("failed");
			assertThatIllegalStateException().isThrownBy(service::failing).withMessage("failed");
			assertDenied(service::failing);
		});
	}

	@Test
	void limitsByALimitStatedOnTheSpot() {
		with((service) -> {
			service.inline();
			assertDenied(service::inline);
		});
	}

	@Test
	void replacesPlaceholders() {
		with((service) -> {
			service.placeholder();
			assertDenied(service::placeholder);
		});
	}

	@Test
	void chargesAllOfSeveralOrNone() {
		with((service) -> {
			service.several("alice");
			service.several("alice");
			assertDenied(() -> service.several("alice"));
			service.several("bob");
			service.several("bob");
			service.several("carol");
			assertDenied(() -> service.several("carol"));
		});
	}

	@Test
	void readsMetaAnnotationsAndWhatTheyOverride() {
		with((service) -> {
			service.expensive();
			assertDenied(service::expensive);
		});
	}

	@Test
	void limitsAllMethodsOfAClassTogether() {
		this.context.run((context) -> {
			LimitedClass limited = context.getBean(LimitedClass.class);
			limited.first();
			limited.second();
			assertDenied(limited::first);
			assertDenied(limited::second);
			assertThat(limited).hasToString("unlimited as ever");
		});
	}

	@Test
	void readsAnnotationsOfInterfaces() {
		this.context.run((context) -> {
			Greeter greeter = context.getBean(Greeter.class);
			greeter.greet();
			assertDenied(greeter::greet);
		});
	}

	private void with(Consumer<Service> test) {
		this.context.run((context) -> test.accept(context.getBean(Service.class)));
	}

	private static void assertDenied(Runnable call) {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.getDecision().allowed()).isFalse());
	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited("five")
	@interface Expensive {

		@AliasFor(annotation = RateLimited.class, attribute = "cost")
		String permits() default "3";

	}

	static class Service {

		@RateLimited("two")
		public String plain(String text) {
			return text;
		}

		@RateLimited("two")
		void packagePrivate() {
		}

		@RateLimited("two")
		public void failing() {
			throw new IllegalStateException("failed");
		}

		@RateLimited(limit = "1/1h")
		public void inline() {
		}

		@RateLimited(limit = "${my.limit}")
		public void placeholder() {
		}

		@RateLimited(policy = "five")
		@RateLimited(policy = "two", key = "#user")
		public void several(String user) {
		}

		@Expensive
		public void expensive() {
		}

	}

	@RateLimited("two")
	static class LimitedClass {

		public void first() {
		}

		public void second() {
		}

		@Override
		public String toString() {
			return "unlimited as ever";
		}

	}

	interface Greeter {

		@RateLimited(limit = "1/1h")
		void greet();

	}

	static class EnglishGreeter implements Greeter {

		@Override
		public void greet() {
		}

	}

}
