package io.github.ratelimit.benchmarks.load;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * The floor: a minimal GCRA run by its SHA-1 on one plain connection of Lettuce.
 */
final class RawLettuce implements Contender {

	static final String NAME = "raw Lettuce";

	static final String CONSOLIDATED = "raw Lettuce, flushes consolidated";

	private final String name;

	private final ClientResources resources;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final String sha1;

	private Gcra gcra = Gcra.of(Scenario.SPREAD);

	private RawLettuce(String name, int port, ClientResources resources) {
		this.name = name;
		this.resources = resources;
		this.client = RedisClient.create(resources, RedisURI.create("127.0.0.1", port));
		this.connection = this.client.connect();
		this.sha1 = this.connection.sync().scriptLoad(Script.GCRA);
	}

	static RawLettuce plain(int port) {
		return new RawLettuce(NAME, port, ClientResources.create());
	}

	/** With Netty's means to write several commands by one system call. */
	static RawLettuce consolidated(int port) {
		return new RawLettuce(CONSOLIDATED, port, ClientResources.builder().nettyCustomizer(new NettyCustomizer() {
			@Override
			public void afterChannelInitialized(Channel channel) {
				channel.pipeline().addFirst(new FlushConsolidationHandler());
			}
		}).build());
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public void prepare(Scenario scenario) {
		this.gcra = Gcra.of(scenario);
	}

	@Override
	public boolean acquire(String key) {
		return isAllowed(this.connection.sync()
			.evalsha(this.sha1, ScriptOutputType.MULTI, keys(key), this.gcra.interval(), this.gcra.most()));
	}

	@Override
	public CompletionStage<Boolean> acquireAsync(String key) {
		return this.connection.async()
			.<List<Object>>evalsha(this.sha1, ScriptOutputType.MULTI, keys(key), this.gcra.interval(), this.gcra.most())
			.thenApply(RawLettuce::isAllowed);
	}

	@Override
	public void close() {
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
	}

	private static String[] keys(String key) {
		return new String[] { Gcra.KEY + key };
	}

	private static boolean isAllowed(List<Object> reply) {
		return (Long) reply.get(0) == 1;
	}

}
