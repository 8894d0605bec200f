package io.github.ratelimit.autoconfigure.redis;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Redis;
import io.github.ratelimit.autoconfigure.store.SharedStore;
import io.github.ratelimit.autoconfigure.store.Stores;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;

/**
 * The Redis of an application that has Spring Data Redis.
 */
final class SpringDataRedis implements SharedStore {

	/**
	 * The property of nodes that a connection factory of Spring Data Redis does not
	 * expose.
	 */
	private static final String MASTER_REPLICA = "spring.data.redis.masterreplica.nodes";

	private static final Evidence NOT_CONFIGURED = Evidence
		.missing("no Redis is configured (to share counts, set 'spring.data.redis.host' or 'ratelimit.store')");

	private final ConnectionFactories connections;

	private final ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica;

	private final Redis properties;

	private final Environment environment;

	private final RedisEvidence evidence;

	SpringDataRedis(ConnectionFactories connections,
			ObjectProvider<RedisStaticMasterReplicaConfiguration> masterReplica, Redis properties,
			Environment environment, RedisEvidence evidence) {
		this.connections = connections;
		this.masterReplica = masterReplica;
		this.properties = properties;
		this.environment = environment;
		this.evidence = evidence;
	}

	@Override
	public String name() {
		return RedisRateLimitStore.NAME;
	}

	@Override
	public Evidence evidence() {
		return this.connections.areThere() ? this.evidence.first().map(Evidence::found).orElse(NOT_CONFIGURED)
				: Evidence.missing("there is no RedisConnectionFactory bean");
	}

	@Override
	public Stores stores() {
		NamedBeanHolder<RedisConnectionFactory> chosen = this.connections.chosen();
		RedisNames names = RedisNames.of(this.properties.keyPrefix(),
				this.environment.getProperty("spring.application.name"));
		return new RedisStores(chosen.getBeanName(), chosen.getBeanInstance(), this.properties, names, isDedicated());
	}

	/**
	 * Returns whether connections are dedicated: as configured, unless the application's
	 * have nodes that cannot be read.
	 */
	private boolean isDedicated() {
		return this.properties.dedicatedConnection() && this.masterReplica.stream().findAny().isEmpty()
				&& !Binder.get(this.environment).bind(MASTER_REPLICA, Bindable.listOf(String.class)).isBound();
	}

}
