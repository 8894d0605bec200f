package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.redis.TestRedis;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

/**
 * An application that a container starts and stops again and again, and that leaves
 * nothing behind.
 */
@Tag("long")
class RedeploymentIT {

	private static final int LIVES = Integer.getInteger("test.redeployments", 1);

	/** Exceptions that libraries keep for good hold the classes that were running. */
	@BeforeAll
	static void loadLibraries() {
		assertThat(ImmediateEventExecutor.INSTANCE).isNotNull();
		RateLimitContext.inMemory().withUserConfiguration(RedeployedApplication.Application.class).run((context) -> {
		});
	}

	@ParameterizedTest
	@MethodSource("stores")
	void leavesNoClassLoaderBehind(String[] store) throws InterruptedException {
		assertThat(Redeployments.left(Redeployments.run(LIVES, store))).isZero();
	}

	@Tag("slow")
	@ParameterizedTest
	@MethodSource("stores")
	void leavesNoClassLoaderOfFiftyBehind(String[] store) throws InterruptedException {
		assertThat(Redeployments.left(Redeployments.run(50, store))).isZero();
	}

	static Stream<Named<String[]>> stores() {
		TestRedis redis = TestRedis.shared();
		return Stream.of(named("memory", new String[] { "ratelimit.store=memory" }),
				named("redis",
						new String[] { "spring.data.redis.host=" + redis.host(),
								"spring.data.redis.port=" + redis.port(), "ratelimit.redis.timeout=5s" }),
				named("application's connection", new String[] { "spring.data.redis.host=" + redis.host(),
						"spring.data.redis.port=" + redis.port(), "ratelimit.redis.dedicated-connection=false" }),
				named("no redis", new String[] { "spring.data.redis.port=1" }));
	}

}
