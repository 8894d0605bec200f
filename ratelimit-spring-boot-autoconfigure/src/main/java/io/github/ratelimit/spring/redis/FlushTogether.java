package io.github.ratelimit.spring.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends commands by one system call that are written while replies are read, which is
 * when calls follow one another without a thread. Others are sent at once: to hold these
 * back costs more than it saves.
 */
final class FlushTogether implements NettyCustomizer {

	private final NettyCustomizer given;

	FlushTogether(NettyCustomizer given) {
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
