package io.github.ratelimit.spring.redis.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.NettyCustomizer;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A factory of connections for the limiter alone, to the Redis of an application, so that
 * the options of the two may differ. A command is sent at most once and fails at once
 * without a connection. A dead connection is detected soon and replaced within a second.
 * Reads and writes go to masters only.
 */
public final class DedicatedConnectionFactory extends LettuceConnectionFactory {

	private static final Delay RECONNECT_DELAY = Delay.fullJitter(Duration.ofMillis(50), Duration.ofMillis(500), 50,
			TimeUnit.MILLISECONDS);

	private static final Duration TOPOLOGY_AGE = Duration.ofSeconds(30);

	/** The least time between two refreshes of a cluster that changes. */
	private static final Duration TOPOLOGY_PAUSE = Duration.ofMillis(500);

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(1);

	/** The time after which unacknowledged data ends a connection. */
	private static final Duration UNACKNOWLEDGED = Duration.ofSeconds(3);

	private final ClientResources resources;

	private final OpenChannels channels;

	private DedicatedConnectionFactory(RedisConfiguration redis, LettuceClientConfiguration client,
			ClientResources resources, OpenChannels channels) {
		super(redis, client);
		this.resources = resources;
		this.channels = channels;
	}

	/**
	 * Returns whether the addresses of connections can be read. They cannot if their
	 * factory was given a configuration of no particular kind.
	 */
	public static boolean canBeLike(LettuceConnectionFactory application) {
		RedisConfiguration redis = redis(application);
		return !(redis instanceof RedisStandaloneConfiguration standalone)
				|| (standalone.getHostName().equals(application.getHostName())
						&& standalone.getPort() == application.getPort()
						&& standalone.getDatabase() == application.getDatabase()
						&& standalone.getPassword().equals(RedisPassword.of(application.getPassword())));
	}

	/**
	 * Returns a factory for the same Redis, which has not connected yet.
	 * @param clientName the name of its connections in Redis
	 */
	public static DedicatedConnectionFactory like(LettuceConnectionFactory application, Duration connectTimeout,
			String clientName) {
		LettuceClientConfiguration given = application.getClientConfiguration();
		ClientResources shared = given.getClientResources().orElse(null);
		OpenChannels channels = new OpenChannels((shared != null) ? shared.nettyCustomizer() : new NettyCustomizer() {
		});
		ClientResources resources = resources(shared, channels);
		LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.clientOptions(options(application, connectTimeout))
			.commandTimeout(connectTimeout)
			.shutdownTimeout(Duration.ZERO)
			.clientName(clientName);
		given.getRedisCredentialsProviderFactory().ifPresent(client::redisCredentialsProviderFactory);
		secure(client, given);
		DedicatedConnectionFactory dedicated = new DedicatedConnectionFactory(redis(application), client.build(),
				resources, channels);
		dedicated.afterPropertiesSet();
		return dedicated;
	}

	/** Returns the channels of its connections. */
	public OpenChannels channels() {
		return this.channels;
	}

	@Override
	public void destroy() {
		super.destroy();
		this.resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
	}

	private static RedisConfiguration redis(LettuceConnectionFactory application) {
		if (application.getSentinelConfiguration() != null) {
			return application.getSentinelConfiguration();
		}
		if (application.getClusterConfiguration() != null) {
			return application.getClusterConfiguration();
		}
		if (application.getSocketConfiguration() != null) {
			return application.getSocketConfiguration();
		}
		return application.getStandaloneConfiguration();
	}

	private static void secure(LettuceClientConfigurationBuilder client, LettuceClientConfiguration given) {
		if (given.isUseSsl()) {
			LettuceSslClientConfigurationBuilder ssl = client.useSsl().verifyPeer(given.getVerifyMode());
			if (given.isStartTls()) {
				ssl.startTls();
			}
		}
	}

	/**
	 * Returns resources with threads and delays of their own; names are resolved and
	 * commands timed as by the given ones. Commands are not traced: one may serve several
	 * requests, and tracing takes longer than the command.
	 */
	private static ClientResources resources(@Nullable ClientResources given, OpenChannels channels) {
		DefaultClientResources.Builder resources = DefaultClientResources.builder()
			.reconnectDelay(RECONNECT_DELAY)
			.nettyCustomizer(new FlushConsolidation(channels));
		if (given != null) {
			resources.addressResolverGroup(given.addressResolverGroup())
				.socketAddressResolver(given.socketAddressResolver())
				.commandLatencyRecorder(given.commandLatencyRecorder());
		}
		return resources.build();
	}

	/** Returns options without command timeouts, as runs have their own. */
	private static ClientOptions options(LettuceConnectionFactory application, Duration connectTimeout) {
		ClientOptions given = application.getClientConfiguration().getClientOptions().orElseGet(ClientOptions::create);
		return (application.isClusterAware() ? cluster(given) : given.mutate()).autoReconnect(true)
			.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
			.timeoutOptions(TimeoutOptions.create())
			.socketOptions(socket(connectTimeout))
			.build();
	}

	private static ClientOptions.Builder cluster(ClientOptions given) {
		ClusterClientOptions.Builder options = ClusterClientOptions.builder(given);
		boolean dynamic = options.build().getTopologyRefreshOptions().useDynamicRefreshSources();
		return options.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
			.dynamicRefreshSources(dynamic)
			.adaptiveRefreshTriggersTimeout(TOPOLOGY_PAUSE)
			.refreshTriggersReconnectAttempts(1)
			.enablePeriodicRefresh(TOPOLOGY_AGE)
			.build());
	}

	/** Returns options that detect a dead peer, which sockets of the JDK alone cannot. */
	private static SocketOptions socket(Duration connectTimeout) {
		SocketOptions.Builder options = SocketOptions.builder().connectTimeout(connectTimeout);
		if (EpollProvider.isAvailable() || IOUringProvider.isAvailable()) {
			options
				.keepAlive(KeepAliveOptions.builder().enable().idle(KEEP_ALIVE).interval(KEEP_ALIVE).count(3).build());
			options.tcpUserTimeout(TcpUserTimeoutOptions.builder().enable().tcpUserTimeout(UNACKNOWLEDGED).build());
		}
		return options.build();
	}

}
