package io.github.ratelimit.autoconfigure.store;

import java.util.Optional;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Redis;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;

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
final class SpringDataRedis implements ApplicationRedis {

	/**
	 * The property of nodes that a connection factory of Spring Data Redis does not
	 * expose.
	 */
	private static final String MASTER_REPLICA = "spring.data.redis.masterreplica.nodes";

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
	public boolean isConnectable() {
		return this.connections.areThere();
	}

	@Override
	public Optional<String> evidence() {
		return this.evidence.first();
	}

	@Override
	public Stores stores() {
		NamedBeanHolder<RedisConnectionFactory> chosen = this.connections.chosen();
		return new RedisStores(chosen.getBeanName(), chosen.getBeanInstance(), this.properties, names(), isDedicated());
	}

	@Override
	public void check(Findings findings) {
		RedisConnectionFactory chosen = this.connections.chosen().getBeanInstance();
		new RedisChecks(chosen, names().prefix(), this.properties.timeout(), name(), findings).run();
	}

	private RedisNames names() {
		return RedisNames.of(this.properties.keyPrefix(), name());
	}

	private @Nullable String name() {
		return this.environment.getProperty("spring.application.name");
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
