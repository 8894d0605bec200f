package io.github.ratelimit.spring.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Sends commands that are written at the same time by one system call, which costs more
 * than all else that a command takes here.
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
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
	}

}
