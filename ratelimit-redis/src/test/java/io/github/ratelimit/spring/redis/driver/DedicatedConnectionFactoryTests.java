package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.tracing.MicrometerTracing;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class DedicatedConnectionFactoryTests {

	@Test
	void timesCommandsAsTheApplicationAndTracesNone() {
		CommandLatencyRecorder recorder = CommandLatencyRecorder.disabled();
		ClientResources given = DefaultClientResources.builder()
			.commandLatencyRecorder(recorder)
			.tracing(new MicrometerTracing(ObservationRegistry.create(), "application"))
			.build();
		DedicatedConnectionFactory own = DedicatedConnectionFactory.like(
				new LettuceConnectionFactory(new RedisStandaloneConfiguration(),
						LettuceClientConfiguration.builder().clientResources(given).build()),
				Duration.ofSeconds(1), "limiter");
		ClientResources resources = own.getClientConfiguration().getClientResources().orElseThrow();
		assertThat(resources.commandLatencyRecorder()).isSameAs(recorder);
		assertThat(given.tracing().isEnabled()).isTrue();
		assertThat(resources.tracing().isEnabled()).isFalse();
		own.destroy();
		given.shutdown(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
	}

	@Test
	void isNotLikeAConnectionWhosePasswordCannotBeRead() {
		RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration();
		standalone.setPassword("secret");
		RedisConfiguration ofNoKind = standalone;
		assertThat(DedicatedConnectionFactory.canBeLike(new LettuceConnectionFactory(standalone))).isTrue();
		assertThat(DedicatedConnectionFactory.canBeLike(new LettuceConnectionFactory(ofNoKind))).isFalse();
	}

}
