package io.github.ratelimit.spring.method;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.ratelimit.MissingKeyException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls for which no key of a policy resolves.
 */
class MissingKeyTests {

	private static final String SKIP = "skip";

	private static final String DENY = "deny";

	private final TestStore store = new TestStore();

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.one.key=#name",
				"ratelimit.policies.two.limits=2/1h")
		.withBean(RateLimitStore.class, () -> this.store)
		.withBean(Service.class);

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "shared")
	void sharesOneCountByDefault(@Nullable String onMissingKey) {
		with(onMissingKey, (service) -> {
			service.call(null);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.call(" "));
			service.call("alice");
		});
	}

	@Test
	void skipsThePolicyWithoutTheStore() {
		with(SKIP, (service) -> {
			for (int i = 0; i < 3; i++) {
				assertThat(service.call(null)).isEqualTo("ok");
				assertThat(service.stage(null).toCompletableFuture()).isCompletedWithValue("ok");
				assertThat(service.mono("").block()).isEqualTo("ok");
			}
			assertThat(this.store.requests()).isEmpty();
		});
	}

	@Test
	void skipsNoOtherPolicyWithIt() {
		with(SKIP, (service) -> {
			service.both(null);
			service.both(null);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.both(null));
		});
	}

	@Test
	void limitsCallsWithAKeyThoughOthersAreSkipped() {
		with(SKIP, (service) -> {
			service.call("alice");
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.call("alice"));
		});
	}

	@Test
	void deniesTheCallWithoutTheStore() {
		with(DENY, (service) -> {
			assertThatExceptionOfType(MissingKeyException.class).isThrownBy(() -> service.call(null))
				.withMessage("No key of policy 'one' has an answer for the call")
				.satisfies((ex) -> assertThat(ex.getPolicy()).isEqualTo("one"));
			assertThatExceptionOfType(MissingKeyException.class).isThrownBy(() -> service.both(null));
			assertThat(this.store.requests()).isEmpty();
			assertThat(service.call("alice")).isEqualTo("ok");
		});
	}

	@Test
	void deniesInWhatTheMethodReturns() {
		with(DENY, (service) -> {
			assertThat(service.stage(null).toCompletableFuture()).failsWithin(0, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseExactlyInstanceOf(MissingKeyException.class);
			Mono<String> result = service.mono(null);
			assertThatExceptionOfType(MissingKeyException.class).isThrownBy(result::block);
		});
	}

	private void with(@Nullable String onMissingKey, Consumer<Service> test) {
		String property = "ratelimit.policies.one.on-missing-key=" + onMissingKey;
		((onMissingKey != null) ? this.context.withPropertyValues(property) : this.context)
			.run((context) -> test.accept(context.getBean(Service.class)));
	}

	static class Service {

		@RateLimited("one")
		public String call(@Nullable String name) {
			return "ok";
		}

		@RateLimited("one")
		@RateLimited("two")
		public String both(@Nullable String name) {
			return "ok";
		}

		@RateLimited("one")
		public CompletionStage<String> stage(@Nullable String name) {
			return CompletableFuture.completedFuture("ok");
		}

		@RateLimited("one")
		public Mono<String> mono(@Nullable String name) {
			return Mono.just("ok");
		}

	}

}
