package io.github.ratelimit.starter;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.starter.MailListeners.Attempts;
import io.github.ratelimit.starter.MailListeners.Mail;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * A limit next to permutations of {@code @Async}, {@code @Retryable} and Spring
 * Modulith's completion of events. All three are around an
 * {@code @ApplicationModuleListener} that is retried.
 */
@Tag("long")
class AdvicePermutationsTests {

	/**
	 * The first attempt fails, and a second succeeds. Stages complete after the return,
	 * but the first fails before it, as Spring retries no failed stage.
	 */
	@ParameterizedTest
	@CsvSource(textBlock = """
			# returns, advice from the outside, attempts, end,     denied
			Value,  Async,                      1,        ,          throws
			Value,  Retryable,                  2,        ,          throws
			Value,  Async Retryable,            2,        ,          throws
			Value,  Retryable Async,            1,        ,          throws
			Value,  Async Completion,           1,        FAILED,    FAILED
			Value,  Retryable Completion,       2,        COMPLETED, FAILED
			Value,  Async Retryable Completion, 2,        COMPLETED, FAILED
			Value,  Retryable Async Completion, 1,        FAILED,    FAILED
			Stage,  Async,                      1,        ,          fails
			Stage,  Retryable,                  2,        ,          fails
			Stage,  Async Retryable,            2,        ,          fails
			Stage,  Retryable Async,            1,        ,          fails
			Stage,  Async Completion,           1,        FAILED,    FAILED
			Stage,  Retryable Completion,       2,        COMPLETED, FAILED
			Stage,  Async Retryable Completion, 2,        COMPLETED, FAILED
			Stage,  Retryable Async Completion, 1,        FAILED,    FAILED
			Stream, Retryable,                  2,        ,          fails
			Stream, Retryable Completion,       2,        COMPLETED, PUBLISHED
			""")
	void chargesACallOnceWhichHoldsItsPermitToTheEndOfItsLastAttempt(String returns, String advice, int attempts,
			@Nullable String end, String denied) {
		context(returns, advice).run((context) -> {
			Attempts begun = context.getBean(Attempts.class);
			CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> outcome(context, advice, "first"));
			CompletableFuture<Void> attempt = begun.next();
			assertThat(left(context)).containsExactly(9L, 0L);
			String second = outcome(context, advice, "second");
			attempt.completeExceptionally(new IllegalStateException("the mail server is down"));
			if (attempts > 1) {
				attempt = begun.next();
				assertThat(left(context)).containsExactly(9L, 0L);
				attempt.complete(null);
			}
			await().untilAsserted(() -> assertThat(left(context)).containsExactly(9L, 1L));
			first.join();
			assertThat(begun.further()).isNull();
			assertThat(begun.decisions).containsExactly(true, false);
			if (end == null) {
				assertThat(second).isEqualTo(denied);
			}
			else {
				await().untilAsserted(() -> assertThat(states(context)).containsExactly(end, denied));
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "Value", "Stage" })
	void releasesThePermitOfACallThatItsExecutorRejects(String returns) {
		context(returns, "Async").run((context) -> {
			context.getBean(ExecutorService.class).shutdown();
			assertThatThrownBy(() -> MailListeners.call(context.getBean("listener"), new Mail("first")).join())
				.hasRootCauseInstanceOf(RejectedExecutionException.class);
			assertThat(left(context)).containsExactly(9L, 1L);
		});
	}

	/** Calls a method, or has an event call it. */
	private static String outcome(ApplicationContext context, String advice, String mail) {
		try {
			if (advice.contains("Completion")) {
				context.getBean(TransactionTemplate.class)
					.executeWithoutResult((status) -> context.publishEvent(new Mail(mail)));
			}
			else {
				MailListeners.call(context.getBean("listener"), new Mail(mail)).join();
			}
			return "returns";
		}
		catch (RateLimitExceededException ex) {
			return "throws";
		}
		catch (CompletionException ex) {
			return "fails";
		}
	}

	private static List<Long> left(ApplicationContext context) {
		return context.getBean(RateLimiter.class)
			.peek(List.of(Charge.of("mails", "global")))
			.limits()
			.stream()
			.map(LimitDecision::remaining)
			.toList();
	}

	private static List<String> states(ApplicationContext context) {
		return context.getBean(JdbcTemplate.class)
			.query("SELECT STATUS FROM EVENT_PUBLICATION ORDER BY PUBLICATION_DATE",
					(row, number) -> Objects.requireNonNull(row.getString(1)));
	}

	private static ApplicationContextRunner context(String returns, String advice) {
		return ModulithListenerTests.modulith()
			.withUserConfiguration(MailListeners.Application.class,
					advice.startsWith("Retryable Async") ? MailListeners.RetryFirst.class
							: MailListeners.AsyncFirst.class)
			.withBean("listener", listener(returns, advice))
			.withPropertyValues("ratelimit.policies.mails.limits=10/1h,1 concurrent");
	}

	private static Class<?> listener(String returns, String advice) {
		Class<?> type = switch (returns) {
			case "Value" -> MailListeners.Value.class;
			case "Stage" -> MailListeners.Stage.class;
			default -> MailListeners.Stream.class;
		};
		return new ByteBuddy().subclass(type)
			.method(ElementMatchers.named("on"))
			.intercept(SuperMethodCall.INSTANCE)
			.annotateMethod(annotations(advice))
			.make()
			.load(type.getClassLoader(), ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
			.getLoaded();
	}

	private static List<Annotation> annotations(String advice) {
		return Stream.of(All.class.getDeclaredMethods()[0].getAnnotations())
			.filter((annotation) -> switch (annotation.annotationType().getSimpleName()) {
				case "RateLimited" -> true;
				case "TransactionalEventListener" -> advice.contains("Completion");
				default -> advice.contains(annotation.annotationType().getSimpleName());
			})
			.toList();
	}

	/** A method with all annotations. */
	private static final class All {

		@SuppressWarnings("UnusedMethod")
		@RateLimited("mails")
		@Async
		@Retryable(maxRetries = 1, delay = 0)
		@TransactionalEventListener
		void on() {
		}

	}

}
