package io.github.ratelimit.starter;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/**
 * Listeners of one event, for each way to return, whose attempts the test ends.
 */
final class MailListeners {

	private MailListeners() {
	}

	/** Calls a listener, which fails the result or throws. */
	static CompletableFuture<?> call(Object listener, Mail mail) {
		if (listener instanceof Stage stage) {
			return stage.on(mail);
		}
		if (listener instanceof Stream stream) {
			return stream.on(mail).toFuture();
		}
		((Value) listener).on(mail);
		return CompletableFuture.completedFuture(null);
	}

	record Mail(String text) {

	}

	/** The attempts of calls, and whether each call was allowed. */
	static final class Attempts implements RateLimitListener {

		final List<Boolean> decisions = new CopyOnWriteArrayList<>();

		private final BlockingQueue<CompletableFuture<Void>> begun = new LinkedBlockingQueue<>();

		private volatile boolean retried;

		@Override
		public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
			this.decisions.add(decision.allowed());
		}

		CompletableFuture<Void> begin() {
			CompletableFuture<Void> attempt = new CompletableFuture<>();
			this.begun.add(attempt);
			return attempt;
		}

		/** Begins an attempt, and awaits the failure of the first. */
		CompletableFuture<Void> beginStage() {
			CompletableFuture<Void> attempt = begin();
			if (!this.retried) {
				this.retried = true;
				attempt.join();
			}
			return attempt;
		}

		CompletableFuture<Void> next() throws InterruptedException {
			return Objects.requireNonNull(this.begun.poll(30, TimeUnit.SECONDS), "no attempt has begun");
		}

		@Nullable CompletableFuture<Void> further() {
			return this.begun.poll();
		}

	}

	static class Value {

		private final Attempts attempts;

		Value(Attempts attempts) {
			this.attempts = attempts;
		}

		void on(Mail mail) {
			this.attempts.begin().join();
		}

	}

	static class Stage {

		private final Attempts attempts;

		Stage(Attempts attempts) {
			this.attempts = attempts;
		}

		CompletableFuture<Void> on(Mail mail) {
			return this.attempts.beginStage();
		}

	}

	static class Stream {

		private final Attempts attempts;

		Stream(Attempts attempts) {
			this.attempts = attempts;
		}

		Mono<Void> on(Mail mail) {
			return Mono.fromFuture(this.attempts::begin);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	@EnableTransactionManagement
	static class Application {

		@Bean
		Attempts attempts() {
			return new Attempts();
		}

		@Bean(destroyMethod = "shutdown")
		ExecutorService threads() {
			return Executors.newCachedThreadPool();
		}

		@Bean(defaultCandidate = false)
		AsyncTaskExecutor taskExecutor(ExecutorService threads) {
			return new TaskExecutorAdapter(threads);
		}

	}

	/** Retries on the thread of an asynchronous call, as Spring does by default. */
	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncFirst {

	}

	/** Retries to hand over an asynchronous call. */
	@Configuration(proxyBeanMethods = false)
	@EnableAsync(order = Ordered.HIGHEST_PRECEDENCE)
	static class RetryFirst {

	}

}
