package io.github.ratelimit.benchmarks.jmh;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMethodAutoConfiguration;
import io.github.ratelimit.autoconfigure.RateLimitMetricsAutoConfiguration;
import io.github.ratelimit.autoconfigure.store.RateLimitStoreAutoConfiguration;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.github.resilience4j.ratelimiter.annotation.RateLimiter;
import io.github.resilience4j.spring6.fallback.FallbackDecorators;
import io.github.resilience4j.spring6.fallback.FallbackExecutor;
import io.github.resilience4j.spring6.ratelimiter.configure.RateLimiterAspect;
import io.github.resilience4j.spring6.ratelimiter.configure.RateLimiterConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.DefaultSpelResolver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.StandardReflectionParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A limited method of a bean.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MethodBenchmark {

	private static final int CALLERS = 10_000;

	private final Greeter plain = new Greeter();

	private final Greeter handWritten = handWritten();

	private final ConfigurableApplicationContext application = application(Application.class);

	private final ConfigurableApplicationContext metered = application(MeteredApplication.class);

	private final Greeter limited = this.application.getBean(Greeter.class);

	private final Greeter limitedWithMeters = this.metered.getBean(Greeter.class);

	private final String[] callers = IntStream.range(0, CALLERS)
		.mapToObj((caller) -> "caller-" + caller)
		.toArray(String[]::new);

	private int next;

	private final Greeter byResilience4j = byResilience4j();

	/**
	 * The method itself.
	 * @return its answer
	 */
	@Benchmark
	public String bare() {
		return this.plain.limited();
	}

	/**
	 * Through a proxy with a hand-written interceptor.
	 * @return the method's answer
	 */
	@Benchmark
	public String floor() {
		return this.handWritten.limited();
	}

	/**
	 * Through a proxy with a hand-written interceptor that counts by the argument, by
	 * 10,000 callers in turn.
	 * @return the method's answer
	 */
	@Benchmark
	public String floorByManyArguments() {
		return this.handWritten.limitedFor(nextCaller());
	}

	/**
	 * Calls a method with the annotation.
	 * @return the method's answer
	 */
	@Benchmark
	public String rateLimited() {
		return this.limited.limited();
	}

	/**
	 * Calls a method with the annotation and a key for each value of an argument.
	 * @return the method's answer
	 */
	@Benchmark
	public String rateLimitedByArgument() {
		return this.limited.limitedFor("a");
	}

	/**
	 * Calls a method with the annotation and a key for each value of an argument, by
	 * 10,000 callers in turn.
	 * @return the method's answer
	 */
	@Benchmark
	public String rateLimitedByManyArguments() {
		return this.limited.limitedFor(nextCaller());
	}

	/**
	 * Calls a method with the annotation in an application with meters.
	 * @return the method's answer
	 */
	@Benchmark
	public String rateLimitedWithMeters() {
		return this.limitedWithMeters.limited();
	}

	/**
	 * Calls a method with Resilience4j's annotation.
	 * @return the method's answer
	 */
	@Benchmark
	public String resilience4j() {
		return this.byResilience4j.byResilience4j();
	}

	/** Stops the applications. */
	@TearDown
	public void close() {
		this.application.close();
		this.metered.close();
	}

	private String nextCaller() {
		this.next = (this.next + 1) % CALLERS;
		return this.callers[this.next];
	}

	private static Greeter handWritten() {
		Map<Object, AtomicLong> counts = new ConcurrentHashMap<>();
		ProxyFactory proxy = new ProxyFactory(new Greeter());
		proxy.addAdvice((MethodInterceptor) (invocation) -> {
			@Nullable Object[] arguments = invocation.getArguments();
			Object key = (arguments.length > 0) ? Objects.requireNonNull(arguments[0]) : "";
			if (!Floor.admits(counts.computeIfAbsent(key, (caller) -> new AtomicLong()))) {
				throw new IllegalStateException("denied");
			}
			return invocation.proceed();
		});
		return (Greeter) proxy.getProxy();
	}

	private static ConfigurableApplicationContext application(Class<?> application) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties("ratelimit.store=memory",
					"ratelimit.policies.roomy.limits=" + Rates.PERMITS + "/1h token-bucket burst " + Rates.BURST,
					"ratelimit.policies.roomy.key=global", "logging.level.root=off", "spring.main.banner-mode=off")
			.run();
	}

	private static Greeter byResilience4j() {
		RateLimiterConfig config = RateLimiterConfig.custom().limitForPeriod(Rates.BURST).build();
		DefaultSpelResolver expressions = new DefaultSpelResolver(new SpelExpressionParser(),
				new StandardReflectionParameterNameDiscoverer(), new StaticApplicationContext());
		AspectJProxyFactory proxy = new AspectJProxyFactory(new Greeter());
		proxy.addAspect(new RateLimiterAspect(RateLimiterRegistry.of(config), new RateLimiterConfigurationProperties(),
				List.of(), new FallbackExecutor(expressions, new FallbackDecorators(List.of())), expressions));
		return proxy.getProxy();
	}

	/** Bean whose methods are called. */
	public static class Greeter {

		/**
		 * Limited for everyone.
		 * @return a word
		 */
		@RateLimited("roomy")
		public String limited() {
			return "hello";
		}

		/**
		 * Limited by an argument.
		 * @param name whose count is charged
		 * @return a word
		 */
		@RateLimited(policy = "roomy", key = "#name")
		public String limitedFor(String name) {
			return "hello";
		}

		/**
		 * Limited by the other annotation.
		 * @return a word
		 */
		@RateLimiter(name = "roomy")
		public String byResilience4j() {
			return "hello";
		}

	}

	/** The application of the bean. */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, RateLimitStoreAutoConfiguration.class,
			RateLimitAutoConfiguration.class, RateLimitMethodAutoConfiguration.class })
	public static class Application {

		@Bean
		Greeter greeter() {
			return new Greeter();
		}

	}

	/** An application with meters. */
	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	@ImportAutoConfiguration(RateLimitMetricsAutoConfiguration.class)
	public static class MeteredApplication {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

}
