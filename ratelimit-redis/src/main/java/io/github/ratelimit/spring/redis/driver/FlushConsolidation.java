package io.github.ratelimit.spring.redis.driver;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * A customizer that flushes the commands written while replies are read in one system
 * call, as when requests follow one another on that thread. All others are flushed at
 * once: to delay them costs more than it saves.
 */
final class FlushConsolidation implements NettyCustomizer {

	private final NettyCustomizer given;

	FlushConsolidation(NettyCustomizer given) {
		this.given = given;
	}

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.given.afterBootstrapInitialized(bootstrap);
	}

	@Override
	public void afterChannelInitialized(Channel channel) {
		this.given.afterChannelInitialized(channel);
		channel.pipeline().addFirst(new FlushConsolidationHandler());
	}

}
