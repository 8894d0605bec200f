package io.github.ratelimit.spring.method;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.decision.LimitDecision;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.policy.PolicyOptions;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.GenericMessage;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Limited methods that are called by a scheduler, a publisher of events or a listener
 * container, in place of a request.
 */
class CallsOutsideRequestsTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory()
		.withPropertyValues("ratelimit.policies.jobs.limits=2/1h", "ratelimit.policies.events.limits=2/1h")
		.withUserConfiguration(Scheduling.class)
		.withBean(Jobs.class);

	@Test
	void deniesAScheduledRunWithAnException() {
		this.context.run((context) -> {
			Runnable task = scheduled(context);
			task.run();
			task.run();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(task::run)
				.withMessage("Rate limit 'jobs' exceeded for Jobs.run(): retry in 1800 s");
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(2);
		});
	}

	@Test
	void keepsTheScheduleOfAMethodThatIsDenied() {
		this.context.withPropertyValues("delay=0").run((context) -> {
			assertThat(context.getBean(Scheduling.class).denials.await(10, TimeUnit.SECONDS)).isTrue();
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(2);
		});
	}

	@Test
	void letsAScheduledRunWaitWhereItsPolicyDoes() {
		this.context.withPropertyValues("ratelimit.policies.jobs.limits=50/1s leaky-bucket").run((context) -> {
			Policies policies = context.getBean(Policies.class);
			policies
				.replace(policies.get("jobs").withOptions(PolicyOptions.STANDARD.withMaxWait(Duration.ofSeconds(1))));
			Runnable task = scheduled(context);
			long start = System.nanoTime();
			for (int run = 0; run < 3; run++) {
				task.run();
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(40));
			assertThat(context.getBean(Jobs.class).runs()).isEqualTo(3);
		});
	}

	@Test
	void failsThePublisherOfAnEventWhoseListenerIsDenied() {
		this.context.run((context) -> {
			context.publishEvent(new Registered("acme"));
			context.publishEvent(new Registered("acme"));
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> context.publishEvent(new Registered("acme")));
			context.publishEvent(new Registered("initech"));
			assertThat(context.getBean(Jobs.class).events()).isEqualTo(3);
		});
	}

	/** Calls a listener as the containers of Kafka and RabbitMQ do. */
	@Test
	void failsAListenerContainerWhoseListenerIsDenied() {
		this.context.run((context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			Method method = AopUtils.selectInvocableMethod(Jobs.class.getDeclaredMethod("on", Registered.class),
					jobs.getClass());
			InvocableHandlerMethod listener = new InvocableHandlerMethod(jobs, method);
			Registered payload = new Registered("acme");
			listener.invoke(new GenericMessage<>(payload), payload);
			listener.invoke(new GenericMessage<>(payload), payload);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> listener.invoke(new GenericMessage<>(payload), payload));
		});
	}

	@Test
	void adjustsAChargeWithoutTheResponseThatAnAttributeUses() {
		new WebApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withPropertyValues("ratelimit.store=memory", "ratelimit.policies.jobs.limits=10/1h")
			.withBean(Uploads.class)
			.run((context) -> {
				context.getBean(Uploads.class).upload(7);
				assertThat(context.getBean(RateLimiter.class).peek(List.of(Charge.of("jobs", "global"))).limits())
					.extracting(LimitDecision::remaining)
					.containsExactly(3L);
			});
	}

	private static Runnable scheduled(AssertableApplicationContext context) {
		return context.getBean(ScheduledTaskHolder.class).getScheduledTasks().iterator().next().getTask().getRunnable();
	}

	/** The beans that are called. */
	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

		final CountDownLatch denials = new CountDownLatch(3);

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setErrorHandler((failure) -> {
				assertThat(failure).isInstanceOf(RateLimitExceededException.class);
				this.denials.countDown();
			});
			return scheduler;
		}

	}

	/** A limited method, charged by the response to a request if there is one. */
	static class Uploads {

		@RateLimited(policy = "jobs", actual = "#result", refundWhen = "#response.status >= 500")
		int upload(int size) {
			return size;
		}

	}

	/** Limited methods. */
	static class Jobs {

		private final AtomicInteger runs = new AtomicInteger();

		private final AtomicInteger events = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		int events() {
			return this.events.get();
		}

		/** Never runs by itself, unless a test sets the delay. */
		@Scheduled(fixedDelay = 1, initialDelayString = "${delay:3600000}")
		@RateLimited("jobs")
		void run() {
			this.runs.incrementAndGet();
		}

		@EventListener
		@RateLimited(policy = "events", key = "#registered.tenant()")
		void on(Registered registered) {
			this.events.incrementAndGet();
		}

	}

	/**
	 * Something happened.
	 */
	record Registered(String tenant) {

	}

}
