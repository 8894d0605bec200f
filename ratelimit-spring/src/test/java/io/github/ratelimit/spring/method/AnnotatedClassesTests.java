package io.github.ratelimit.spring.method;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Callable;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedClassesTests {

	private final AnnotatedClasses classes = new AnnotatedClasses();

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnClass.class, Twice.class, Composed.class, Subclass.class,
			OfInterface.class, OfSuperclassOfInterface.class })
	void containClassesThatDeclareOrInheritAnnotations(Class<?> type) {
		assertThat(this.classes.contain(type)).isTrue();
		assertThat(this.classes.contain(type)).isTrue();
	}

	@Test
	void containNoOthers() {
		assertThat(this.classes.contain(Unlimited.class)).isFalse();
		assertThat(this.classes.contain(Unlimited.class)).isFalse();
	}

	static class OnMethod {

		@RateLimited("one")
		void call() {
		}

	}

	@RateLimited("one")
	static class OnClass {

	}

	static class Twice {

		@RateLimited("one")
		@RateLimited("two")
		void call() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited("one")
	@interface Costly {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Other {

	}

	static class Composed {

		@Costly
		void call() {
		}

	}

	static class Subclass extends OnMethod {

	}

	interface Limited {

		@RateLimited("one")
		void call();

	}

	interface Extended extends Limited {

	}

	static class OfInterface implements Extended {

		@Override
		public void call() {
		}

	}

	static class OfSuperclassOfInterface extends OfInterface {

	}

	static class Unlimited implements Callable<String> {

		@Override
		@Other
		public String call() {
			return "";
		}

	}

}
