package io.github.ratelimit.spring.redis;

import io.github.ratelimit.spring.redis.driver.RedisFailures;
import io.github.ratelimit.store.shared.ReplyHandler;

/** A handler that returns a reply as it is. */
public final class RawReply implements ReplyHandler<byte[], byte[]> {

	@Override
	public byte[] onReply(byte[] reply) {
		return reply;
	}

	@Override
	public RuntimeException onFailure(Throwable failure) {
		return RedisFailures.of(failure);
	}

}
