package io.github.ratelimit.spring.method;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.ratelimit.spring.method.Outcomes.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Named.named;

/**
 * Limits of beans next to other annotations of Spring: security first, then the limit,
 * then all else.
 */
class AdviceOrderTests {

	private static final Authentication ADMIN = new TestingAuthenticationToken("ada", "", "ROLE_ADMIN");

	private static final Authentication USER = new TestingAuthenticationToken("grace", "", "ROLE_USER");

	private static final Class<?> DENIED = RateLimitExceededException.class;

	private static final Class<?> FAILED = IllegalStateException.class;

	private static final Class<?> REFUSED = AccessDeniedException.class;

	private static final Class<?> RETURNED = String.class;

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withUserConfiguration(SpringAdvice.class)
		.withPropertyValues("ratelimit.policies.one.limits=1/1h", "ratelimit.policies.two.limits=2/1h");

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	@ParameterizedTest
	@MethodSource("retried")
	void chargesACallOnceHoweverOftenItIsRetried(Function<AdvisedService, Object> call) {
		run((context, service) -> {
			assertThat(outcomes(3, () -> call.apply(service))).containsExactly(FAILED, FAILED, DENIED);
			assertThat(service.runs()).hasValue(8);
			assertThat(context.getBean(SpringAdvice.class).decisions).hasValue(3);
		});
	}

	static Stream<?> retried() {
		return ways(AdvisedService::retried, AdvisedService::retriedStage, AdvisedService::retriedMono);
	}

	@ParameterizedTest
	@MethodSource("alone")
	void deniesACallBeforeItNeedsATurn(Function<AdvisedService, Object> call) {
		run((context, service) -> assertThat(outcomes(1, () -> call.apply(service))).containsExactly(DENIED));
	}

	static Stream<?> alone() {
		return ways(AdvisedService::alone, AdvisedService::aloneStage, AdvisedService::aloneMono);
	}

	@ParameterizedTest
	@MethodSource("cached")
	void chargesACallThatACacheServes(Function<AdvisedService, Object> call) {
		run((context, service) -> {
			assertThat(outcomes(3, () -> call.apply(service))).containsExactly(RETURNED, RETURNED, DENIED);
			assertThat(service.runs()).hasValue(1);
		});
	}

	static Stream<?> cached() {
		return ways(AdvisedService::cached, AdvisedService::cachedStage, AdvisedService::cachedMono);
	}

	@ParameterizedTest
	@MethodSource("transacted")
	void beginsNoTransactionForADenial(Function<AdvisedService, Object> call) {
		run((context, service) -> {
			assertThat(outcomes(3, () -> call.apply(service))).containsExactly(RETURNED, RETURNED, DENIED);
			assertThat(context.getBean(SpringAdvice.Transactions.class).begun).hasValue(2);
		});
	}

	static Stream<?> transacted() {
		return Stream.of(named("value", way(AdvisedService::transacted)),
				named("stage", way(AdvisedService::transactedStage)));
	}

	@ParameterizedTest
	@MethodSource("secured")
	void chargesNothingToACallerWhoIsRefused(Function<AdvisedService, Object> call) {
		run(this.context.withUserConfiguration(Security.class), (context, service) -> {
			assertThat(outcomes(3, as(USER, () -> call.apply(service)))).containsOnly(REFUSED);
			assertThat(outcomes(3, as(ADMIN, () -> call.apply(service)))).containsExactly(RETURNED, RETURNED, DENIED);
			assertThat(outcomes(1, as(USER, () -> call.apply(service)))).containsOnly(REFUSED);
		});
	}

	static Stream<?> secured() {
		return Stream.of(named("@PreAuthorize, value", way(AdvisedService::secured)),
				named("@PreAuthorize, stage", way(AdvisedService::securedStage)),
				named("@Secured", way(AdvisedService::securedByRole)),
				named("@RolesAllowed", way(AdvisedService::securedByStandard)));
	}

	@Test
	void chargesACallerWhomSpringRefusesAtEachAttempt() {
		run(this.context.withUserConfiguration(Security.class), (context, service) -> {
			assertThat(outcomes(3, as(USER, service::securedRetried))).containsOnly(REFUSED);
			assertThat(outcomes(1, as(ADMIN, service::securedRetried))).containsExactly(DENIED);
			assertThat(context.getBean(SpringAdvice.class).decisions).hasValue(4);
		});
	}

	@Test
	void refundsACallerWhomSpringRefusesAtEachAttemptWhereConfigured() {
		run(this.context.withUserConfiguration(Security.class), (context,
				service) -> assertThat(outcomes(3, as(USER, service::refundedRetried))).containsOnly(REFUSED));
	}

	@Test
	void chargesNothingToASubscriberWhoIsRefused() {
		run(this.context.withUserConfiguration(ReactiveSecurity.class), (context, service) -> {
			assertThat(outcomes(3, () -> as(USER, service.securedMono()))).containsOnly(REFUSED);
			assertThat(outcomes(3, () -> as(ADMIN, service.securedMono()))).containsExactly(RETURNED, RETURNED, DENIED);
		});
	}

	@Test
	void chargesACallWhoseResultIsWithheld() {
		run(this.context.withUserConfiguration(Security.class),
				(context, service) -> assertThat(outcomes(3, as(USER, service::securedAfterwards)))
					.containsExactly(REFUSED, REFUSED, DENIED));
	}

	@Test
	void refundsACallWhoseResultIsWithheldWhereConfigured() {
		run(this.context.withUserConfiguration(Security.class), (context,
				service) -> assertThat(outcomes(3, as(USER, service::refundedAfterwards))).containsOnly(REFUSED));
	}

	@Test
	@Timeout(20)
	void deniesAnAsynchronousCallOnItsCallersThread() {
		run((context, service) -> {
			service.started();
			service.startedStage().join();
			while (service.runs().get() < 2) {
				Thread.onSpinWait();
			}
			assertThat(service.thread()).isNotNull().isNotEqualTo(Thread.currentThread());
			assertThat(outcomes(1, Executors.callable(service::started))).containsExactly(DENIED);
			assertThat(service.startedStage()).isCompletedExceptionally();
			assertThat(service.runs()).hasValue(2);
		});
	}

	@Test
	void refundsAnAsynchronousCallThatFailsOnItsThread() {
		run((context, service) -> {
			for (int call = 1; call <= 3; call++) {
				service.refundedStart();
				await().untilAsserted(() -> assertThat(left(context)).isEqualTo(2));
				assertThat(service.runs()).hasValue(call);
			}
		});
	}

	@Test
	@SuppressWarnings("FutureReturnValueIgnored") // it fails before it returns
	void keepsTheOrderWhereAllStandOnOneMethod() {
		run((context, service) -> {
			assertThat(outcomes(3, service::all)).containsExactly(FAILED, FAILED, DENIED);
			assertThat(service.runs()).hasValue(8);
			assertThat(context.getBean(SpringAdvice.Transactions.class).begun).hasValue(8);
			assertThat(context.getBean(SpringAdvice.class).decisions).hasValue(3);
		});
	}

	@Test
	void leavesMethodsWithoutALimitAlone() {
		run((context, service) -> {
			assertThat(outcomes(3, service::retriedWithoutLimit)).containsOnly(FAILED);
			assertThat(service.runs()).hasValue(12);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { BeanDefinition.SCOPE_PROTOTYPE, BeanDefinition.SCOPE_SINGLETON })
	void keepsTheOrderOnAProxyOfAnInterface(String scope) {
		this.context.withPropertyValues("spring.aop.proxy-target-class=false")
			.withBean("client", Client.class, FailingClient::new, (definition) -> definition.setScope(scope))
			.run((context) -> assertThat(outcomes(3, context.getBean(Client.class)::call)).containsExactly(FAILED,
					FAILED, DENIED));
	}

	@Test
	void retriesADenialWhereTheCallersCallerDoesSo() {
		this.context.withBean(AdvisedService.class).withBean(Patient.class).run((context) -> {
			assertThat(outcomes(2, context.getBean(Patient.class)::call)).containsExactly(RETURNED, RETURNED);
			assertThat(outcomes(1, context.getBean(Patient.class)::call)).containsExactly(DENIED);
			assertThat(context.getBean(SpringAdvice.class).decisions).hasValue(2 + 4);
		});
	}

	@Test
	void hasTheConfiguredOrder() {
		this.context.withPropertyValues("ratelimit.annotation-order=" + Ordered.LOWEST_PRECEDENCE)
			.withBean(AdvisedService.class)
			.run((context) -> {
				AdvisedService service = context.getBean(AdvisedService.class);
				assertThat(outcomes(1, service::retried)).containsExactly(DENIED);
				assertThat(service.runs()).hasValue(2);
				assertThat(context.getBean(SpringAdvice.class).decisions).hasValue(4);
			});
	}

	@Test
	void refusesAnOrderThatIsNoNumber() {
		this.context.withPropertyValues("ratelimit.annotation-order=first")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("first"));
	}

	private static long left(ApplicationContext context) {
		return context.getBean(RateLimiter.class).peek(List.of(Charge.of("two", "global"))).limits().get(0).remaining();
	}

	private void run(BiConsumer<ApplicationContext, AdvisedService> test) {
		run(this.context, test);
	}

	private static void run(ApplicationContextRunner runner, BiConsumer<ApplicationContext, AdvisedService> test) {
		runner.withBean(AdvisedService.class).run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context, context.getBean(AdvisedService.class));
		});
	}

	private static Stream<?> ways(Function<AdvisedService, String> value,
			Function<AdvisedService, CompletableFuture<String>> stage, Function<AdvisedService, Mono<String>> mono) {
		return Stream.of(named("value", value), named("stage", stage), named("mono", mono));
	}

	private static <T> Function<AdvisedService, T> way(Function<AdvisedService, T> call) {
		return call;
	}

	private static <T> Callable<T> as(Authentication user, Callable<T> call) {
		return () -> {
			SecurityContextHolder.getContext().setAuthentication(user);
			return call.call();
		};
	}

	private static Mono<String> as(Authentication user, Mono<String> call) {
		return call.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user));
	}

	interface Client {

		@RateLimited("two")
		@Retryable(delay = 1)
		String call();

	}

	static class FailingClient implements Client {

		@Override
		public String call() {
			throw new IllegalStateException();
		}

	}

	static class Patient {

		private final AdvisedService service;

		Patient(AdvisedService service) {
			this.service = service;
		}

		@Retryable(includes = RateLimitExceededException.class, delay = 1)
		String call() {
			return this.service.cached();
		}

	}

	@EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
	static class Security {

	}

	@EnableReactiveMethodSecurity
	static class ReactiveSecurity {

	}

}
