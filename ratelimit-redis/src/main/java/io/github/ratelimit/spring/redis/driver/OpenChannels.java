package io.github.ratelimit.spring.redis.driver;

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
 * The channels of connections that are open or being made. As an executor, it runs tasks
 * after the threads of all channels have read what Redis sent before.
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

	/** Runs a task after every thread has read; without threads, at once. */
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
	 * Runs a task after the next read of an event loop. A loop runs its tasks between two
	 * reads, so a task that another one schedules comes after the next read.
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
