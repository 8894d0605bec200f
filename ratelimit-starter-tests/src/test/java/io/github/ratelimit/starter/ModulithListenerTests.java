package io.github.ratelimit.starter;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.RateLimited;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records of Spring Modulith on events, for listeners with a limit and without.
 */
@Tag("long")
class ModulithListenerTests {

	private static final AutoConfigurations MODULITH = AutoConfigurations.of(DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			JdbcTemplateAutoConfiguration.class, JacksonAutoConfiguration.class,
			EventPublicationAutoConfiguration.class,
			hidden("org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration"),
			hidden("org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration"));

	@Test
	void recordsAListenerAtWorkAsProcessing() {
		context().run((context) -> {
			publish(context, new Failing());
			context.getBean(Work.class).begun();
			assertThat(states(context)).containsExactly("PROCESSING", "PROCESSING", "PROCESSING");
		});
	}

	@Test
	void recordsAFailedListenerAsFailed() {
		context().run((context) -> {
			publish(context, new Failing());
			context.getBean(Work.class).finish();
			assertThat(states(context)).containsExactly("FAILED", "FAILED", "FAILED");
		});
	}

	@Test
	void recordsAListenerThatSucceedsAsCompleted() {
		context().run((context) -> {
			publish(context, new Succeeding());
			context.getBean(Work.class).finish();
			assertThat(states(context)).containsExactly("COMPLETED", "COMPLETED", "COMPLETED");
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { 410, 0, Integer.MAX_VALUE })
	void recordsADeniedListenerAsFailed(int order) {
		context().withPropertyValues("ratelimit.policies.mails.limits=1/1h", "ratelimit.annotation-order=" + order)
			.run((context) -> {
				context.getBean(Neighbour.class).send();
				publish(context, new Succeeding());
				context.getBean(Work.class).finish();
				assertThat(states(context)).containsExactly("FAILED", "COMPLETED", "COMPLETED");
			});
	}

	private static ApplicationContextRunner context() {
		return modulith().withUserConfiguration(Application.class)
			.withPropertyValues("ratelimit.policies.mails.limits=1000/1h");
	}

	/** Returns a context that records events in a database of its own. */
	static ApplicationContextRunner modulith() {
		return OtherAdvice.context()
			.withConfiguration(MODULITH)
			.withPropertyValues("spring.modulith.events.jdbc.schema-initialization.enabled=true");
	}

	private static Class<?> hidden(String name) {
		return ClassUtils.resolveClassName(name, ModulithListenerTests.class.getClassLoader());
	}

	private static void publish(AssertableApplicationContext context, Object event) {
		context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> context.publishEvent(event));
	}

	private static List<String> states(AssertableApplicationContext context) {
		return context.getBean(JdbcTemplate.class)
			.query("SELECT STATUS FROM EVENT_PUBLICATION ORDER BY LISTENER_ID",
					(row, number) -> Objects.requireNonNull(row.getString(1)));
	}

	record Failing() {

	}

	record Succeeding() {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Application {

		@Bean
		Work work() {
			return new Work();
		}

		@Bean(defaultCandidate = false)
		AsyncTaskExecutor taskExecutor(Work work) {
			return new TaskExecutorAdapter(work.threads);
		}

		@Bean
		Unlimited unlimited(Work work) {
			return new Unlimited(work);
		}

		@Bean
		Limited limited(Work work) {
			return new Limited(work);
		}

		@Bean
		Neighbour neighbour(Work work) {
			return new Neighbour(work);
		}

	}

	/** Three listeners at work, which end together. */
	static final class Work {

		private final ExecutorService threads = Executors.newCachedThreadPool();

		private final CountDownLatch begun = new CountDownLatch(3);

		private final CountDownLatch end = new CountDownLatch(1);

		void doFor(Object event) {
			this.begun.countDown();
			await(this.end);
			if (event instanceof Failing) {
				throw new IllegalStateException("the mail server is down");
			}
		}

		void begun() {
			await(this.begun);
		}

		void finish() throws InterruptedException {
			this.end.countDown();
			this.threads.shutdown();
			assertThat(this.threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		}

		private static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	static class Unlimited {

		final Work work;

		Unlimited(Work work) {
			this.work = work;
		}

		@ApplicationModuleListener
		void on(Failing event) {
			this.work.doFor(event);
		}

		@ApplicationModuleListener
		void on(Succeeding event) {
			this.work.doFor(event);
		}

	}

	static class Limited {

		private final Work work;

		Limited(Work work) {
			this.work = work;
		}

		@ApplicationModuleListener
		@RateLimited("mails")
		void on(Failing event) {
			this.work.doFor(event);
		}

		@ApplicationModuleListener
		@RateLimited("mails")
		void on(Succeeding event) {
			this.work.doFor(event);
		}

	}

	/** Listeners without a limit, next to a method with one. */
	static class Neighbour {

		private final Work work;

		Neighbour(Work work) {
			this.work = work;
		}

		@ApplicationModuleListener
		void on(Failing event) {
			this.work.doFor(event);
		}

		@ApplicationModuleListener
		void on(Succeeding event) {
			this.work.doFor(event);
		}

		@Async
		@RateLimited("mails")
		void send() {
		}

	}

}
