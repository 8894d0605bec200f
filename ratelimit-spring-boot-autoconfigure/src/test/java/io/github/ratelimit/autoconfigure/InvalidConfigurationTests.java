package io.github.ratelimit.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The failure analyses of applications whose Redis is configured wrongly.
 */
class InvalidConfigurationTests {

	private final ApplicationContextRunner context = RateLimitContext.inMemory();

	@Test
	void namesRedisWhereThereIsNone() {
		FailureAnalysis analysis = analysis(this.context, "ratelimit.store=redis");
		assertThat(analysis.getDescription())
			.isEqualTo("The property 'ratelimit.store' is 'redis', but there is no RedisConnectionFactory bean.");
		assertThat(analysis.getAction()).contains("set 'ratelimit.store' to 'memory'");
	}

	@Test
	void namesTheLibraryOfRedisWhereItIsMissing() {
		assertThat(analysis(this.context.withClassLoader(new FilteredClassLoader(RedisConnectionFactory.class)),
				"ratelimit.store=redis")
			.getAction()).contains("'spring-boot-starter-data-redis' for 'redis'");
	}

	@ParameterizedTest
	@CsvSource({ "timeout=0ms, 'ratelimit.redis.timeout', at least 1ms",
			"connect-timeout=0ms, 'ratelimit.redis.connect-timeout', at least 1ms",
			"key-prefix={a}, 'ratelimit.redis.key-prefix', without braces",
			"key-prefix=, 'ratelimit.redis.key-prefix', visible ASCII characters",
			"denial-cache.max-keys=0, 'ratelimit.redis.denial-cache.max-keys', at least 1",
			"denial-cache.max-age=0s, 'ratelimit.redis.denial-cache.max-age', at least 1ms" })
	void namesARedisPropertyThatIsWrong(String property, String name, String requirement) {
		ApplicationContextRunner withRedis = this.context
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));
		assertThat(analysis(withRedis, "ratelimit.store=redis", "ratelimit.redis." + property).getDescription())
			.contains(name)
			.contains(requirement);
	}

	private static FailureAnalysis analysis(ApplicationContextRunner application, String... properties) {
		List<FailureAnalysis> found = new ArrayList<>();
		application.withPropertyValues(properties)
			.run((context) -> found.add(analyze(Objects.requireNonNull(context.getStartupFailure(), "it starts"))));
		return found.get(0);
	}

	static FailureAnalysis analyze(Throwable failure) {
		for (FailureAnalyzer analyzer : SpringFactoriesLoader
			.forDefaultResourceLocation(InvalidConfigurationTests.class.getClassLoader())
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, ex) -> {
			}))) {
			FailureAnalysis analysis = analyzer.analyze(failure);
			if (analysis != null) {
				return analysis;
			}
		}
		throw new AssertionError("nothing explains the failure", failure);
	}

}
