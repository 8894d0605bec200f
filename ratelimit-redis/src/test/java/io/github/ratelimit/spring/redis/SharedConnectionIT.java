package io.github.ratelimit.spring.redis;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.algorithm.Rate;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.store.PermitRequests;
import io.github.ratelimit.store.RateLimitStoreException;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.ClientOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * A store on the connection of an application whose master is demoted, while that
 * connection stays open: by a Kubernetes service, DNS or a static set of nodes.
 */
@Tag("long")
class SharedConnectionIT {

	private static final StoreRequest REQUEST = new StoreRequest(StoreOperation.ACQUIRE,
			PermitRequests.of("one", List.of(Limit.of(Algorithm.TOKEN_BUCKET, Rate.parse("100000/1h"))), "alice", 1));

	private final RedisProcess old = RedisProcess.start();

	private final RedisProcess promoted = RedisProcess.start();

	private final TcpProxy address = TcpProxy.to(this.old.port());

	@AfterEach
	void stop() {
		this.address.close();
		this.promoted.close();
		this.old.close();
	}

	@ParameterizedTest
	@EnumSource
	void leavesAServerThatTakesNoWritesAnyMore(Client client) {
		LettuceConnectionFactory connections = started(new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.address.port()), client.configuration()));
		demoteWhileInUse(connections);
	}

	@Test
	void findsTheNewMasterAmongStaticNodes() {
		RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration("127.0.0.1",
				this.old.port());
		nodes.addNode("127.0.0.1", this.promoted.port());
		this.promoted.commands().replicaof("127.0.0.1", this.old.port());
		await().until(() -> this.promoted.commands().info("replication").contains("master_link_status:up"));
		demoteWhileInUse(
				started(new LettuceConnectionFactory(nodes, LettuceClientConfiguration.defaultConfiguration())));
	}

	@Test
	void keepsTheConnectionThatTheApplicationHolds() {
		LettuceConnectionFactory connections = started(new LettuceConnectionFactory("127.0.0.1", this.address.port()));
		RedisConnection held = connections.getConnection();
		demoteWhileInUse(connections, () -> assertThat(held.ping()).isEqualTo("PONG"));
	}

	private void demoteWhileInUse(LettuceConnectionFactory connections) {
		demoteWhileInUse(connections, () -> {
		});
	}

	private void demoteWhileInUse(LettuceConnectionFactory connections, Runnable afterwards) {
		try (RedisRateLimitStore store = RedisRateLimitStore.on(connections, "shared", Duration.ofSeconds(2))) {
			assertThat(store.execute(REQUEST).allowed()).isTrue();
			this.address.redirect(this.promoted.port());
			this.promoted.commands().replicaofNoOne();
			this.old.commands().replicaof("127.0.0.1", this.promoted.port());
			assertThat(catchThrowableOfType(RateLimitStoreException.class, () -> store.execute(REQUEST)).getKind())
				.isEqualTo(Kind.READONLY);
			await().atMost(Duration.ofSeconds(10)).ignoreExceptions().until(() -> store.execute(REQUEST).allowed());
			assertThat(this.promoted.commands().keys("shared:*")).isNotEmpty();
			afterwards.run();
		}
		finally {
			connections.destroy();
		}
	}

	private static LettuceConnectionFactory started(LettuceConnectionFactory connections) {
		connections.afterPropertiesSet();
		connections.start();
		return connections;
	}

	/** The configurations of an application's Lettuce. */
	enum Client {

		DEFAULT {
			@Override
			LettuceClientConfiguration configuration() {
				return LettuceClientConfiguration.defaultConfiguration();
			}
		},

		WITH_A_POOL {
			@Override
			LettuceClientConfiguration configuration() {
				return LettucePoolingClientConfiguration.builder().build();
			}
		},

		WITHOUT_RECONNECTION {
			@Override
			LettuceClientConfiguration configuration() {
				return LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().autoReconnect(false).build())
					.build();
			}
		};

		abstract LettuceClientConfiguration configuration();

	}

}
