package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls that are charged by what they turned out to be.
 */
class OutcomeTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.tokens.limits=1000/1d fixed-window",
				"ratelimit.policies.account.limits=3/1d fixed-window",
				"ratelimit.policies.address.limits=10/1d fixed-window",
				"ratelimit.policies.calls.limits=2/1d fixed-window", "ratelimit.policies.busy.limits=1 concurrent")
		.withBean(Service.class);

	@ParameterizedTest
	@CsvSource({ "100, 900", "0, 1000", "25, 975", "700, 300" })
	void chargesWhatACallTurnedOutToCost(long tokens, long left) {
		with((limiter, service) -> {
			assertThat(service.complete(tokens)).isEqualTo(new Usage(tokens));
			assertThat(remaining(limiter, "tokens")).isEqualTo(left);
		});
	}

	@Test
	void chargesBeyondTheLimitWhatWasUsedUnforeseen() {
		with((limiter, service) -> {
			service.complete(1500);
			assertThat(remaining(limiter, "tokens")).isZero();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.complete(1));
		});
	}

	@Test
	void chargesWhatWasReservedIfTheActualCostIsUnknown() {
		with((limiter, service) -> {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(service::fail);
			assertThat(service.complete(-5)).isNotNull();
			assertThat(remaining(limiter, "tokens")).isEqualTo(800);
		});
	}

	@Test
	void chargesStagesAndPublishersAtTheirEnd() {
		with((limiter, service) -> {
			CompletableFuture<Usage> result = new CompletableFuture<>();
			CompletionStage<Usage> stage = service.later(result);
			assertThat(remaining(limiter, "tokens")).isEqualTo(900);
			result.complete(new Usage(40));
			assertThat(stage.toCompletableFuture()).isCompleted();
			assertThat(remaining(limiter, "tokens")).isEqualTo(960);
			StepVerifier.create(service.mono(60)).expectNextCount(1).verifyComplete();
			StepVerifier.create(service.stream(1, 2, 100)).expectNextCount(3).verifyComplete();
			assertThat(remaining(limiter, "tokens")).isEqualTo(800);
		});
	}

	@Test
	void chargesASubscriptionEachTime() {
		with((limiter, service) -> {
			Mono<Usage> twice = service.mono(50);
			twice.block();
			twice.block();
			assertThat(remaining(limiter, "tokens")).isEqualTo(900);
		});
	}

	@Test
	void refundsACancelledStreamIfThatIsConfigured() {
		with((limiter, service) -> {
			StepVerifier.create(service.refundedStream()).expectNextCount(1).thenCancel().verify();
			assertThat(remaining(limiter, "tokens")).isEqualTo(1000);
			StepVerifier.create(service.stream(1, 2)).expectNextCount(1).thenCancel().verify();
			assertThat(remaining(limiter, "tokens")).isEqualTo(999);
		});
	}

	@Test
	void chargesWrongPasswordsByAccountAndAddressInOneDecision() {
		with((limiter, service) -> {
			for (int call = 0; call < 20; call++) {
				assertThat(service.logIn("ada", "right", "1.1.1.1")).isTrue();
			}
			for (int call = 0; call < 3; call++) {
				assertThatExceptionOfType(WrongPasswordException.class)
					.isThrownBy(() -> service.logIn("ada", "wrong", "1.1.1.1"));
			}
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> service.logIn("ada", "right", "1.1.1.1"));
			assertThat(limiter.peek(List.of(Charge.of("address", "expression:1.1.1.1"))).limits().get(0).remaining())
				.isEqualTo(7);
			assertThat(service.logIn("grace", "right", "1.1.1.1")).isTrue();
		});
	}

	@Test
	void chargesTheOutcomesThatAConditionNames() {
		with((limiter, service) -> {
			for (int call = 0; call < 5; call++) {
				assertThat(service.find(true)).isEqualTo("found");
			}
			assertThat(service.find(false)).isNull();
			assertThat(remaining(limiter, "calls")).isEqualTo(1);
		});
	}

	@Test
	void limitsTheCallsThatAConditionNames() {
		with((limiter, service) -> {
			for (int call = 0; call < 5; call++) {
				service.search(true);
			}
			service.search(false);
			service.search(false);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.search(false));
			service.search(true);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "value", "stage", "mono", "flux" })
	void callsTheFallbackInsteadOfADeniedMethod(String kind) {
		with((limiter, service) -> {
			for (int call = 0; call < 2; call++) {
				assertThat(result(service, kind)).isEqualTo("fresh");
			}
			assertThat(result(service, kind)).isEqualTo("cached calls");
		});
	}

	@Test
	void leavesFailuresOfTheMethodToItsCaller() {
		with((limiter, service) -> assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(service::failWithADenialOfItsOwn)
			.satisfies((ex) -> assertThat(ex.getDecision().limits()).isEmpty()));
	}

	private static String result(Service service, String kind) {
		return switch (kind) {
			case "value" -> service.value();
			case "stage" -> service.stage().toCompletableFuture().join();
			case "mono" -> Objects.requireNonNull(service.monoOfText().block());
			default -> String.join(" ", service.flux().toIterable());
		};
	}

	private static long remaining(RateLimiter limiter, String policy) {
		return limiter.peek(List.of(Charge.of(policy, "global"))).limits().get(0).remaining();
	}

	private void with(Check test) {
		this.context.run((context) -> test.run(context.getBean(RateLimiter.class), context.getBean(Service.class)));
	}

	private interface Check {

		void run(RateLimiter limiter, Service service);

	}

	record Usage(long tokens) {

	}

	static class WrongPasswordException extends RuntimeException {

	}

	static class Service {

		@RateLimited(policy = "tokens", cost = "100", actual = "#result.tokens")
		Usage complete(long tokens) {
			return new Usage(tokens);
		}

		@RateLimited(policy = "tokens", cost = "100", actual = "#result.tokens")
		Usage fail() {
			throw new IllegalStateException();
		}

		@RateLimited(policy = "tokens", cost = "100", actual = "#result.tokens")
		CompletionStage<Usage> later(CompletionStage<Usage> result) {
			return result;
		}

		@RateLimited(policy = "tokens", cost = "100", actual = "#result.tokens")
		Mono<Usage> mono(long tokens) {
			return Mono.just(new Usage(tokens));
		}

		@RateLimited(policy = "tokens", cost = "100", actual = "#result.tokens")
		Flux<Usage> stream(Integer... tokens) {
			return Flux.fromArray(tokens).map(Usage::new);
		}

		@RateLimited(policy = "tokens", cost = "100", refundWhen = "#error != null")
		Flux<Usage> refundedStream() {
			return Flux.just(new Usage(1), new Usage(2));
		}

		@RateLimited(policy = "account", key = "#user", chargeOn = WrongPasswordException.class)
		@RateLimited(policy = "address", key = "#address", chargeOn = WrongPasswordException.class)
		boolean logIn(String user, String password, String address) {
			if (!password.equals("right")) {
				throw new WrongPasswordException();
			}
			return true;
		}

		@RateLimited(policy = "calls", chargeWhen = "#result == null")
		@Nullable String find(boolean isThere) {
			return isThere ? "found" : null;
		}

		@RateLimited(policy = "calls", when = "!#cached")
		void search(boolean cached) {
		}

		@RateLimited(policy = "calls", fallback = "cached")
		String value() {
			return "fresh";
		}

		@RateLimited(policy = "calls", fallback = "cachedStage")
		CompletionStage<String> stage() {
			return CompletableFuture.completedFuture("fresh");
		}

		@RateLimited(policy = "calls", fallback = "cachedMono")
		Mono<String> monoOfText() {
			return Mono.just("fresh");
		}

		@RateLimited(policy = "calls", fallback = "cachedFlux")
		Flux<String> flux() {
			return Flux.just("fresh");
		}

		@RateLimited(policy = "calls", fallback = "cached")
		String failWithADenialOfItsOwn() {
			throw new RateLimitExceededException(Decision.of(0, List.of()), "other");
		}

		String cached(RateLimitExceededException denial) {
			return "cached " + denial.getDecision().limits().get(0).policy();
		}

		CompletionStage<String> cachedStage(RateLimitExceededException denial) {
			return CompletableFuture.completedFuture(cached(denial));
		}

		Mono<String> cachedMono(RateLimitExceededException denial) {
			return Mono.just(cached(denial));
		}

		Flux<String> cachedFlux() {
			return Flux.just("cached", "calls");
		}

	}

}
