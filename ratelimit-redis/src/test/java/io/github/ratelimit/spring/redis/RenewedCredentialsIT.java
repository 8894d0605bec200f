package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.ReauthenticateBehavior;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A store whose Redis accepts credentials for a short time, as managed services do with
 * tokens of an identity provider.
 */
@Tag("long")
class RenewedCredentialsIT {

	private static final StoreRequest REQUEST = new StoreRequest(StoreOperation.ACQUIRE,
			PermitRequests.of("one", List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("100000/1h"))), "alice", 1));

	private static final String USER = "application";

	private final RedisProcess redis = RedisProcess.start();

	private final Tokens tokens = new Tokens();

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void reconnectsWithTheTokenOfTheTime() {
		LettuceConnectionFactory application = connections(ReauthenticateBehavior.DEFAULT);
		try (RedisRateLimitStore store = store(application)) {
			for (int token = 0; token < 3; token++) {
				this.tokens.renew();
				this.redis.commands().clientKill(KillArgs.Builder.user(USER));
				await().atMost(Duration.ofSeconds(5)).ignoreExceptions().until(() -> store.execute(REQUEST).allowed());
			}
		}
		finally {
			application.destroy();
		}
	}

	@Test
	void tellsAnOpenConnectionTheNextToken() {
		LettuceConnectionFactory application = connections(ReauthenticateBehavior.ON_NEW_CREDENTIALS);
		try (RedisRateLimitStore store = store(application)) {
			await().ignoreExceptions().until(() -> store.execute(REQUEST).allowed());
			long before = authentications();
			this.tokens.renew();
			await().until(() -> authentications() > before);
			assertThat(store.execute(REQUEST).allowed()).isTrue();
		}
		finally {
			application.destroy();
		}
	}

	private long authentications() {
		return this.redis.commands()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_auth:calls="))
			.mapToLong((line) -> Long.parseLong(line.split("[=,]", -1)[1]))
			.sum();
	}

	private RedisRateLimitStore store(LettuceConnectionFactory application) {
		return RedisRateLimitStore.dedicated(application, "renewed", Duration.ofSeconds(2), Duration.ofSeconds(2),
				"limiter");
	}

	private LettuceConnectionFactory connections(ReauthenticateBehavior behavior) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().reauthenticateBehavior(behavior).build())
					.redisCredentialsProviderFactory(this.tokens)
					.build());
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	/** The tokens of an identity provider, of which the last one is valid. */
	private final class Tokens implements RedisCredentialsProviderFactory, RedisCredentialsProvider {

		private final Sinks.Many<RedisCredentials> all = Sinks.many().replay().latest();

		private int last;

		Tokens() {
			renew();
		}

		void renew() {
			this.last++;
			RenewedCredentialsIT.this.redis.commands()
				.aclSetuser(USER,
						AclSetuserArgs.Builder.on()
							.resetpass()
							.addPassword("token-" + this.last)
							.allKeys()
							.allChannels()
							.allCommands());
			this.all.tryEmitNext(current());
		}

		private RedisCredentials current() {
			return RedisCredentials.just(USER, "token-" + this.last);
		}

		@Override
		public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration redis) {
			return this;
		}

		@Override
		public Mono<RedisCredentials> resolveCredentials() {
			return Mono.fromSupplier(this::current);
		}

		@Override
		public boolean supportsStreaming() {
			return true;
		}

		@Override
		public Flux<RedisCredentials> credentials() {
			return this.all.asFlux();
		}

	}

}
