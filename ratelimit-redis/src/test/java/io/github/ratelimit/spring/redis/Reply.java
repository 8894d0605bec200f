package io.github.ratelimit.spring.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A builder of replies of the script, for tests of the code that reads them. The time of
 * the server is 1. A limit has no wait and a reset of 1000 us unless set.
 */
public final class Reply {

	private static final double FAILED = -1;

	private final List<Double> numbers = new ArrayList<>();

	private Reply(long admitted) {
		this.numbers.add(1.0);
		this.numbers.add((double) admitted);
	}

	/** Starts a reply that admits some of several equal requests. */
	public static Reply admitted(long requests) {
		return new Reply(requests);
	}

	/** Adds a limit with permits left. */
	public Reply remaining(long permits) {
		return limit((double) permits, 0, 1000);
	}

	/** Adds an invocation for which the script failed. */
	public Reply failed() {
		return limit(FAILED, FAILED, FAILED);
	}

	/** Sets the wait of the last limit, in microseconds. */
	public Reply retryAfter(long micros) {
		this.numbers.set(this.numbers.size() - 2, (double) micros);
		return this;
	}

	/** Sets the reset of the last limit, in microseconds. */
	public Reply resetAfter(long micros) {
		this.numbers.set(this.numbers.size() - 1, (double) micros);
		return this;
	}

	/** Returns the reply as Redis sends it. */
	public byte[] bytes() {
		ByteBuffer bytes = ByteBuffer.allocate(this.numbers.size() * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		this.numbers.forEach(bytes::putDouble);
		return bytes.array();
	}

	private Reply limit(double remaining, double wait, double reset) {
		this.numbers.addAll(List.of(remaining, wait, reset));
		return this;
	}

}
