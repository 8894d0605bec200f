package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitContext;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopContext;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods that WebFlux calls once they have been decided on, or that are decided when it
 * calls them, and that others call too.
 */
class HandlerProxiesTests {

	private final ReactiveWebApplicationContextRunner context = new ReactiveWebApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(RateLimitContext.WEBFLUX)
		.withPropertyValues("ratelimit.policies.two.limits=2/1h", "ratelimit.policies.one.limits=1/1h",
				"ratelimit.policies.keyed.limits=2/1h", "ratelimit.policies.keyed.key=header:X-Key",
				"ratelimit.policies.keyed.on-missing-key=deny",
				"ratelimit.policies.keyed.blocked=header:X-Key:mallory");

	@ParameterizedTest
	@ValueSource(classes = { Controller.class, EachTimeAnother.class, InAScope.class })
	void chargesACallByWebFluxOnce(Class<?> controller) {
		this.context.withUserConfiguration(controller).run(HandlerProxiesTests::admitsTwo);
	}

	@Test
	void chargesACallByWebFluxOfAProxyOfAnInterfaceOnce() {
		this.context.withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(BehindAnInterface.class)
			.run(HandlerProxiesTests::admitsTwo);
	}

	@Test
	void limitsACallByOtherCodeToo() {
		this.context.withUserConfiguration(Controller.class).run((context) -> {
			assertThat(statuses(WebTestClient.bindToApplicationContext(context).build(), "/plain", 2))
				.containsExactly(200, 200);
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(context.getBean(Controller.class)::plain);
		});
	}

	@Test
	void limitsAnotherMethodThatTheHandlerCallsOnTheSameProxy() {
		this.context.withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(Exposed.class, Controller.class)
			.run((context) -> assertThat(
					statuses(WebTestClient.bindToApplicationContext(context).build(), "/another", 2))
				.containsExactly(200, 429));
	}

	@Test
	void keepsTheOtherAdviceOfTheBean() {
		this.context.withUserConfiguration(Counting.class, Controller.class).run((context) -> {
			assertThat(statuses(WebTestClient.bindToApplicationContext(context).build(), "/plain", 3))
				.containsExactly(200, 200, 429);
			assertThat(context.getBean(Counting.class).calls).hasValue(2);
		});
	}

	@Test
	void knowsTheRequest() {
		this.context.withUserConfiguration(Controller.class)
			.run((context) -> WebTestClient.bindToApplicationContext(context)
				.build()
				.get()
				.uri("/keyed")
				.header("X-Key", "a")
				.exchange()
				.expectStatus()
				.isOk());
	}

	@ParameterizedTest
	@ValueSource(classes = { Controller.class, EachTimeAnother.class, InAScope.class })
	void knowsTheRequestOfAMethodThatIsDecidedWhenItIsCalled(Class<?> controller) {
		this.context.withUserConfiguration(controller).run((context) -> {
			assertThat(statusesOf(context, "/late", "a", 2)).containsExactly(200, 200);
			assertThat(statusesOf(context, "/late-stage", "a", 1)).containsExactly(429);
			assertThat(statusesOf(context, "/late-stage", "b", 1)).containsExactly(200);
			assertThat(statusesOf(context, "/late", "mallory", 1)).containsExactly(403);
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { Controller.class, EachTimeAnother.class, InAScope.class })
	void decidesARuleTogetherWithAMethodThatIsDecidedWhenItIsCalled(Class<?> controller) {
		this.context.withPropertyValues("ratelimit.rules[0].paths=/late", "ratelimit.rules[0].policies=two")
			.withUserConfiguration(controller)
			.run((context) -> {
				assertThat(statusesOf(context, "/late-stage", "a", 2)).containsExactly(200, 200);
				assertThat(statusesOf(context, "/late", "a", 1)).containsExactly(429);
				assertThat(statusesOf(context, "/late", "b", 2)).containsExactly(200, 200);
			});
	}

	private static List<Integer> statusesOf(ApplicationContext context, String path, String key, int calls) {
		return statuses(
				WebTestClient.bindToApplicationContext(context).configureClient().defaultHeader("X-Key", key).build(),
				path, calls);
	}

	private static void admitsTwo(ApplicationContext context) {
		WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
		assertThat(statuses(client, "/plain", 3)).containsExactly(200, 200, 429);
		assertThat(statuses(client, "/stage", 1)).containsExactly(429);
	}

	private static List<Integer> statuses(WebTestClient client, String path, int calls) {
		return IntStream.range(0, calls)
			.mapToObj((call) -> client.get().uri(path).exchange().returnResult(Void.class).getStatus().value())
			.toList();
	}

	@RestController
	static class Controller {

		@GetMapping("/plain")
		@RateLimited("two")
		public String plain() {
			return "ok";
		}

		@GetMapping("/stage")
		@RateLimited("two")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("ok");
		}

		@GetMapping("/keyed")
		@RateLimited("keyed")
		public String keyed() {
			return "ok";
		}

		@GetMapping("/late")
		@RateLimited(policy = "keyed", refundOn = IllegalStateException.class)
		public String late() {
			return "ok";
		}

		@GetMapping("/late-stage")
		@RateLimited(policy = "keyed", refundOn = IllegalStateException.class)
		public CompletableFuture<String> lateStage() {
			return CompletableFuture.completedFuture("ok");
		}

		@GetMapping("/another")
		@RateLimited("two")
		public String another() {
			return ((Controller) AopContext.currentProxy()).limitedToo();
		}

		@RateLimited("one")
		String limitedToo() {
			return "ok";
		}

	}

	@Scope(BeanDefinition.SCOPE_PROTOTYPE)
	static class EachTimeAnother extends Controller {

	}

	@Scope(scopeName = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
	static class InAScope extends Controller {

	}

	@RestController
	interface Api {

		@GetMapping("/plain")
		String plain();

		@GetMapping("/stage")
		CompletableFuture<String> stage();

	}

	@Configuration(proxyBeanMethods = false)
	static class BehindAnInterface {

		@Bean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
		static InfrastructureAdvisorAutoProxyCreator proxies() {
			return new InfrastructureAdvisorAutoProxyCreator();
		}

		@Bean
		Api api() {
			return new Implementation();
		}

	}

	static class Implementation implements Api {

		@Override
		@RateLimited("two")
		public String plain() {
			return "ok";
		}

		@Override
		@RateLimited("two")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("ok");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Exposed {

		@Bean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
		static InfrastructureAdvisorAutoProxyCreator proxies() {
			InfrastructureAdvisorAutoProxyCreator proxies = new InfrastructureAdvisorAutoProxyCreator();
			proxies.setExposeProxy(true);
			return proxies;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Counting {

		final AtomicInteger calls = new AtomicInteger();

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		Advisor counter() {
			MethodInterceptor count = (invocation) -> {
				this.calls.incrementAndGet();
				return invocation.proceed();
			};
			return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(RestController.class, true), count);
		}

	}

}
