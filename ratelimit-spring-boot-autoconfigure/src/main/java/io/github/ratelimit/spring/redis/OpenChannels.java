package io.github.ratelimit.spring.redis;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

/**
 * The channels of connections that are open or being made. Runs tasks on the threads that
 * read them, after whatever Redis has sent until then has been read.
 */
final class OpenChannels implements NettyCustomizer, Executor {

	private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

	private final NettyCustomizer given;

	OpenChannels(NettyCustomizer given) {
		this.given = given;
	}

	@Override
	public void afterBootstrapInitialized(Bootstrap bootstrap) {
		this.given.afterBootstrapInitialized(bootstrap);
	}

	@Override
	public void afterChannelInitialized(Channel channel) {
		this.given.afterChannelInitialized(channel);
		this.channels.add(channel);
		channel.closeFuture().addListener((Future<? super Void> closed) -> this.channels.remove(channel));
	}

	/** Runs a task once every thread has read, at once where there is none. */
	@Override
	public void execute(Runnable task) {
		List<EventLoop> loops = this.channels.stream().map(Channel::eventLoop).distinct().toList();
		AtomicInteger left = new AtomicInteger(loops.size() + 1);
		Runnable read = () -> {
			if (left.decrementAndGet() == 0) {
				task.run();
			}
		};
		loops.forEach((loop) -> afterReading(loop, read));
		read.run();
	}

	/**
	 * An event loop carries out its tasks between two readings. One that is scheduled by
	 * another is due after the next.
	 */
	private static void afterReading(EventLoop loop, Runnable task) {
		try {
			loop.execute(() -> {
				Future<?> unused = loop.schedule(task, 1, TimeUnit.NANOSECONDS);
			});
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

}
