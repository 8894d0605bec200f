package io.github.ratelimit.autoconfigure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.spring.expression.RequestView;
import io.github.ratelimit.spring.expression.ResponseView;
import io.github.ratelimit.spring.expression.UserView;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.Compiled;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.javapoet.ClassName;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.context.support.GenericWebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that is processed ahead of time, as for a native image, and then runs on
 * a JVM.
 */
@Tag("long")
class AheadOfTimeTests {

	private static final String PROPERTIES = "io.github.ratelimit.autoconfigure.properties.";

	private static final String ENDPOINTS = "io.github.ratelimit.spring.actuate.";

	/** Is one test, as each compiles the application and loads its classes once more. */
	@Test
	@CompileWithForkedClassLoader
	void obeysThePropertiesAtRunTime() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializer = process(generation);
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			Processed application = new Processed(compiled, initializer);
			decidesByThePropertiesAtRunTime(application);
			countsInMemoryIfThatIsConfiguredAtRunTime(application);
			countsInRedisIfThatIsConfiguredAtRunTime(application);
			countsInMemoryWhileNoRedisIsConfiguredAtRunTime(application);
		});
	}

	private static void decidesByThePropertiesAtRunTime(Processed application) {
		application.run(Map.of("ratelimit.store", "memory", "ratelimit.policies.x.limits", "2/1h"), (context) -> {
			RateLimiter limiter = context.getBean(RateLimiter.class);
			for (int call = 0; call < 3; call++) {
				assertThat(limiter.acquire(Charge.of("x", "key")).allowed()).isEqualTo(call < 2);
			}
		});
	}

	private static void countsInMemoryIfThatIsConfiguredAtRunTime(Processed application) {
		application.run(Map.of("ratelimit.store", "memory"), (context) -> {
			assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(MemoryRateLimitStore.class);
		});
	}

	private static void countsInRedisIfThatIsConfiguredAtRunTime(Processed application) {
		application.run(Map.of("spring.data.redis.port", "1"), (context) -> {
			assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(RedisRateLimitStore.class);
		});
	}

	private static void countsInMemoryWhileNoRedisIsConfiguredAtRunTime(Processed application) {
		application.run(Map.of(), (context) -> {
			assertThat(context.getBean(RateLimitStore.class)).isInstanceOf(MemoryRateLimitStore.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "algorithm/token-bucket.lua", "spring/redis/script/decide.lua",
			"autoconfigure/redis/controls.lua", "autoconfigure/redis/controls-change.lua",
			"autoconfigure/redis/controls-since.lua", "autoconfigure/redis/controls-restore.lua" })
	void keepsTheScripts(String script) {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/ratelimit/" + script)).accepts(hints());
		assertThat(getClass().getClassLoader().getResource("io/github/ratelimit/" + script)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "PolicyProperties", "PolicyProperties$PenaltyProperties",
			"PolicyProperties$ScheduleProperties", "RateLimitProperties$RuleProperties", "RateLimitProperties$Redis",
			"RateLimitProperties$DenialCache", "RateLimitProperties$Memory", "RateLimitProperties$Http",
			"RateLimitProperties$Overrides", "RateLimitProperties$Events", "RateLimitProperties$Top",
			"RateLimitProperties$Usage" })
	void bindsProperties(String group) {
		assertThat(hasConstructor(PROPERTIES + group)).accepts(hints());
	}

	@ParameterizedTest
	@ValueSource(strings = { "RateLimitsEndpoint$Report", "PolicyReports$PolicyReport", "PolicyReports$LimitReport",
			"PolicyReports$ChangeReport", "PolicyReports$PenaltyReport", "RateLimitControlsEndpoint$Report",
			"ControlReport", "KeyLookup$KeyReport", "KeyLookup$LimitReport", "KeyLookup$PolicyEntry" })
	void writesReportsOfEndpoints(String report) {
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(ENDPOINTS + report))).accepts(hints());
	}

	@Test
	void readsRequestsUsersAndResponsesInExpressions() throws NoSuchMethodException {
		for (Method method : List.of(RequestView.class.getMethod("header", String.class),
				UserView.class.getMethod("getName"), ResponseView.class.getMethod("getStatus"))) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method)).accepts(hints());
		}
	}

	@Test
	void replacesTheOperatorsOfExpressions() throws NoSuchFieldException {
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(SpelNodeImpl.class.getDeclaredField("children")))
			.accepts(hints());
	}

	private static Predicate<RuntimeHints> hasConstructor(String type) {
		return (hints) -> {
			TypeHint hint = hints.reflection().getTypeHint(TypeReference.of(type));
			return hint != null && hint.constructors().findAny().isPresent();
		};
	}

	private static RuntimeHints hints() {
		return Hints.OF_THE_APPLICATION;
	}

	/** Processes an application in which no property is set. */
	private static ClassName process(TestGenerationContext generation) {
		GenericApplicationContext context = application(Map.of());
		AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
		context.registerBean(Application.class);
		ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		return initializer;
	}

	private static GenericApplicationContext application(Map<String, Object> properties) {
		GenericApplicationContext context = new GenericWebApplicationContext(new MockServletContext());
		context.getEnvironment().setConversionService(new ApplicationConversionService());
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		context.getEnvironment()
			.getPropertySources()
			.addLast(new MapPropertySource("endpoints", Map.of("management.endpoints.web.exposure.include", "*",
					"management.endpoint.ratelimitcontrols.access", "unrestricted")));
		return context;
	}

	/**
	 * The compiled application, which may run several times.
	 */
	private record Processed(Compiled compiled, ClassName initializer) {

		@SuppressWarnings("unchecked")
		void run(Map<String, Object> properties, Consumer<GenericApplicationContext> test) {
			GenericApplicationContext context = application(properties);
			this.compiled.getInstance(ApplicationContextInitializer.class, this.initializer.canonicalName())
				.initialize(context);
			try (context) {
				context.refresh();
				test.accept(context);
			}
		}

	}

	private static final class Hints {

		private static final RuntimeHints OF_THE_APPLICATION = hints();

		private static RuntimeHints hints() {
			TestGenerationContext generation = new TestGenerationContext();
			process(generation);
			return generation.getRuntimeHints();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
