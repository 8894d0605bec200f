package io.github.ratelimit.autoconfigure.redis;

import java.util.Map;

import io.github.ratelimit.autoconfigure.RateLimitContext;
import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.ControlStore;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.TestStore;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTests {

	private static final String UNCONFIGURED = "no Redis is configured "
			+ "(to share counts, set 'spring.data.redis.host' or 'ratelimit.store')";

	private static final String WITHOUT_CLIENT = "Spring Data Redis is not on the class path "
			+ "(to share counts, add 'spring-boot-starter-data-redis')";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

	@Test
	void countsInMemoryWhileNoRedisIsConfigured(CapturedOutput output) {
		this.application.run((context) -> countsInMemory(context, UNCONFIGURED));
		assertThat(output)
			.containsOnlyOnce("Rate limits are counted in memory, by each instance on its own, as no Redis");
	}

	@Test
	void countsInRedisIfAPropertyOfItIsSet(CapturedOutput output) {
		this.application.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> countsInRedis(context, "'spring.data.redis.port' is set"));
		assertThat(output).containsOnlyOnce("Rate limits are counted in Redis (bean 'redisConnectionFactory'), as "
				+ "'spring.data.redis.port' is set");
	}

	@Test
	void countsInRedisIfAnEnvironmentVariableOfItIsSet() {
		this.application
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("SPRING_DATA_REDIS_PORT", "1"))))
			.run((context) -> countsInRedis(context, "'spring.data.redis.port' is set"));
	}

	@Test
	void countsInMemoryIfOnlyRepositoriesAreTurnedOff() {
		this.application.withPropertyValues("spring.data.redis.repositories.enabled=false")
			.run((context) -> countsInMemory(context, UNCONFIGURED));
	}

	@Test
	void countsInRedisIfThereAreConnectionDetails() {
		this.application.withBean(DataRedisConnectionDetails.class, Details::new)
			.run((context) -> countsInRedis(context, "there are connection details of a Redis"));
	}

	@ParameterizedTest
	@ValueSource(classes = { OwnConnections.class, OwnStaticConnections.class })
	void countsInRedisIfTheApplicationHasItsOwnConnections(Class<?> configuration) {
		this.application.withUserConfiguration(configuration)
			.run((context) -> countsInRedis(context, "the application has a RedisConnectionFactory bean"));
	}

	@Test
	void countsInRedisIfConfiguredAlthoughNoRedisIs() {
		this.application.withPropertyValues("ratelimit.store=redis")
			.run((context) -> countsInRedis(context, "'ratelimit.store' is set"));
	}

	@Test
	void countsInMemoryIfConfiguredAlthoughARedisIs() {
		this.application.withPropertyValues("ratelimit.store=memory", "spring.data.redis.port=1")
			.run((context) -> countsInMemory(context, "'ratelimit.store' is set"));
	}

	@Test
	void findsARedisThatIsConfiguredWithoutItsClient() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.data", "io.lettuce"))
			.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> {
				countsInMemory(context, WITHOUT_CLIENT);
				assertThat(context.getBean(Findings.class).all()).extracting(Finding::message)
					.containsExactly("Rate limits are counted in memory, by each instance on its own, although "
							+ "'spring.data.redis.port' is set: there is no RedisConnectionFactory bean. Add "
							+ "'spring-boot-starter-data-redis' to share counts, or set 'ratelimit.store' to 'memory'.");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "ratelimit.store=memory", "spring.data.redis.repositories.enabled=false" })
	void findsNothingWithoutAClientIfNoRedisIsMeant(String property) {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.data", "io.lettuce"))
			.withPropertyValues(property)
			.run((context) -> assertThat(context.getBean(Findings.class).all()).isEmpty());
	}

	@Test
	void countsInMemoryWithoutConnections() {
		new ApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.run((context) -> countsInMemory(context, "there is no RedisConnectionFactory bean"));
	}

	@Test
	void stopsIfCountsAreToBeInRedisWithoutItsClient() {
		this.application.withClassLoader(new FilteredClassLoader("org.springframework.data", "io.lettuce"))
			.withPropertyValues("ratelimit.store=redis")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"The property 'ratelimit.store' has the value 'redis', but there is no such store; there is "
								+ "memory"));
	}

	@Test
	void countsInAStoreOfTheApplication() {
		this.application.withBean(RateLimitStore.class, () -> new TestStore(() -> 0))
			.withPropertyValues("spring.data.redis.port=1")
			.run((context) -> {
				assertThat(context).getBean(RateLimitStore.class).isInstanceOf(TestStore.class);
				assertThat(context.getBean(StoreChoice.class).reason())
					.isEqualTo("the application has a RateLimitStore bean");
			});
	}

	@Test
	void namesSeveralConnectionFactoriesOfWhichNoneIsPrimary() {
		several().run((context) -> assertThat(context).getFailure()
			.hasStackTraceContaining(
					"There are several RedisConnectionFactory beans, and none is primary: 'cache', 'limits'"));
		several().withPropertyValues("ratelimit.store=memory")
			.run((context) -> countsInMemory(context, "'ratelimit.store' is set"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void countsInTheRedisOfTheConnectionFactoryThatIsNamed(boolean otherIsPrimary, CapturedOutput output) {
		try (RedisProcess redis = RedisProcess.start()) {
			several(redis.port(), otherIsPrimary).withPropertyValues("ratelimit.redis.connection-factory=limits")
				.run((context) -> {
					countsInRedis(context, "'ratelimit.redis.connection-factory' is set");
					assertThat(context.getBean(StoreChoice.class).stores().connection()).isEqualTo("limits");
					assertThat(context.getBean(RateLimitStore.class).description())
						.contains(String.valueOf(redis.port()));
				});
			assertThat(output).containsOnlyOnce("Rate limits are counted in Redis (bean 'limits'), as");
		}
	}

	@Test
	void countsInTheRedisOfThePrimaryConnectionFactoryUnlessOneIsNamed(CapturedOutput output) {
		several(1, true).run((context) -> countsInRedis(context, "the application has a RedisConnectionFactory bean"));
		assertThat(output).containsOnlyOnce("Rate limits are counted in Redis (bean 'cache'), as");
	}

	@ParameterizedTest
	@CsvSource({ "limts, ''", "limts, redis", "string, ''" })
	void stopsIfTheNamedConnectionFactoryIsMissing(String name, String store) {
		several().withBean("string", String.class, () -> "no connections")
			.withPropertyValues("ratelimit.redis.connection-factory=" + name, "ratelimit.store=" + store)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidRateLimitConfigurationException.class)
				.hasMessage("The property 'ratelimit.redis.connection-factory' has the value '" + name
						+ "', but there is no RedisConnectionFactory bean of this name; there is 'cache', 'limits'")
				.extracting("action")
				.asString()
				.startsWith("Correct the property 'ratelimit.redis.connection-factory'"));
	}

	@Test
	void stopsIfAConnectionFactoryIsNamedAndThereIsNone() {
		new ApplicationContextRunner().withConfiguration(RateLimitContext.AUTO_CONFIGURATIONS)
			.withPropertyValues("ratelimit.redis.connection-factory=limits")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("has the value 'limits', but there is no RedisConnectionFactory bean of this "
						+ "name; there is none"));
	}

	@Test
	void findsAPropertyOfAnOldSpringBoot() {
		this.application.withPropertyValues("spring.redis.host=redis")
			.run((context) -> assertThat(context.getBean(Findings.class).all()).extracting(Finding::message)
				.contains("Rate limits are counted in memory, by each instance on its own: Spring Boot does not read "
						+ "'spring.redis.host'. Rename it to 'spring.data.redis.host' to share counts, or set "
						+ "'ratelimit.store' to 'memory'."));
		this.application.withPropertyValues("spring.redis.host=redis", "ratelimit.store=memory")
			.run((context) -> assertThat(context.getBean(Findings.class).all()).isEmpty());
	}

	private ApplicationContextRunner several() {
		return several(1, false);
	}

	private ApplicationContextRunner several(int port, boolean otherIsPrimary) {
		return this.application
			.withBean("cache", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1),
					(definition) -> definition.setPrimary(otherIsPrimary))
			.withBean("limits", LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", port));
	}

	@Test
	void keepsControlsInRedisNextToAStoreOfTheApplicationIfConfigured() {
		this.application.withBean(RateLimitStore.class, () -> new TestStore(() -> 0))
			.withPropertyValues("ratelimit.store=redis", "spring.data.redis.port=1")
			.run((context) -> assertThat(context).getBean(ControlStore.class).isInstanceOf(RedisControlStore.class));
	}

	private static void countsInMemory(AssertableApplicationContext context, String reason) {
		assertThat(context).getBean(RateLimitStore.class).isInstanceOf(MemoryRateLimitStore.class);
		assertThat(context.getBean(StoreChoice.class).reason()).isEqualTo(reason);
	}

	private static void countsInRedis(AssertableApplicationContext context, String reason) {
		assertThat(context).getBean(RateLimitStore.class).isInstanceOf(RedisRateLimitStore.class);
		assertThat(context.getBean(StoreChoice.class).reason()).isEqualTo(reason);
	}

	/** Connection details as those of Docker Compose. */
	private static final class Details implements DataRedisConnectionDetails {

		@Override
		public Standalone getStandalone() {
			return Standalone.of("127.0.0.1", 1);
		}

	}

	/** Connections by the name that Spring Boot's have. */
	@Configuration(proxyBeanMethods = false)
	static class OwnConnections {

		@Bean
		RedisConnectionFactory redisConnectionFactory() {
			return new LettuceConnectionFactory("127.0.0.1", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStaticConnections {

		@Bean
		static LettuceConnectionFactory redisConnectionFactory() {
			return new LettuceConnectionFactory("127.0.0.1", 1);
		}

	}

}
