package io.github.ratelimit.spring.redis;

/**
 * Reads a reply as it is.
 */
final class RawReply implements ReplyReader<byte[]> {

	@Override
	public byte[] read(byte[] reply) {
		return reply;
	}

	@Override
	public RuntimeException failed(Throwable failure) {
		return Failures.of(failure);
	}

}
