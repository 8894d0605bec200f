package io.github.ratelimit.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.ratelimit.redis.RedisProcess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;

/**
 * A Redis that tells how long its scripts take. Calls are pipelined on one connection, so
 * that they run in order.
 */
final class MeasuredRedis implements AutoCloseable {

	private static final Pattern COST = Pattern
		.compile("cmdstat_evalsha:calls=(\\d+),usec=\\d+,usec_per_call=([\\d.]+)");

	private static final Pattern MEMORY = Pattern.compile("used_memory:(\\d+)");

	private static final int BATCH = 500;

	private final RedisProcess process = RedisProcess.start();

	private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.process.port()));

	private final StatefulRedisConnection<byte[], byte[]> connection = this.client.connect(ByteArrayCodec.INSTANCE);

	private final RedisAsyncCommands<byte[], byte[]> commands = this.connection.async();

	private long empty;

	MeasuredRedis() {
		this.connection.setAutoFlushCommands(false);
	}

	/**
	 * Runs calls against an empty Redis.
	 * @param subject the calls
	 * @return microseconds per call within Redis, by its own account
	 */
	double measure(Subject subject) {
		this.process.commands().flushall();
		String sha1 = this.process.commands().scriptLoad(subject.calls().apply(0).script());
		this.empty = usedMemory();
		run(subject, sha1, 0, subject.uncounted());
		this.process.commands().configResetstat();
		List<Object> last = run(subject, sha1, subject.uncounted(), subject.uncounted() + subject.counted());
		Matcher cost = COST.matcher(this.process.commands().info("commandstats"));
		if (!cost.find() || Integer.parseInt(cost.group(1)) != subject.counted()) {
			throw new IllegalStateException("Redis has not counted the calls of " + subject.name());
		}
		if (isToWait(last) != subject.waits()) {
			throw new IllegalStateException(subject.name() + " was answered " + last);
		}
		return Double.parseDouble(cost.group(2));
	}

	/**
	 * The memory of the keys that were written, by Redis' own account. Of many keys, it
	 * includes their share of Redis' tables; a single one takes less than the buffers of
	 * a connection.
	 * @return bytes for each key
	 */
	double bytesPerKey() {
		RedisCommands<String, String> redis = this.process.commands();
		long keys = redis.dbsize();
		return (keys > 1) ? (usedMemory() - this.empty) / (double) keys : redis.memoryUsage(redis.randomkey());
	}

	private long usedMemory() {
		Matcher memory = MEMORY.matcher(this.process.commands().info("memory"));
		return memory.find() ? Long.parseLong(memory.group(1)) : 0;
	}

	/**
	 * Returns the version of the measured Redis.
	 * @return the version of Redis
	 */
	String version() {
		Matcher version = Pattern.compile("redis_version:(\\S+)").matcher(this.process.commands().info("server"));
		return version.find() ? version.group(1) : "of unknown version";
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
		this.process.close();
	}

	private List<Object> run(Subject subject, String sha1, int from, int to) {
		List<Object> last = List.of();
		for (int start = from; start < to; start += BATCH) {
			List<CompletableFuture<List<Object>>> replies = new ArrayList<>();
			for (int number = start; number < Math.min(to, start + BATCH); number++) {
				replies.add(send(subject.calls().apply(number), sha1));
			}
			this.connection.flushCommands();
			replies.forEach(CompletableFuture::join);
			last = replies.get(replies.size() - 1).join();
		}
		return last;
	}

	private CompletableFuture<List<Object>> send(ScriptCall call, String sha1) {
		RedisFuture<List<Object>> reply = this.commands.evalsha(sha1, ScriptOutputType.MULTI,
				call.keys().toArray(byte[][]::new), call.arguments().toArray(byte[][]::new));
		return reply.toCompletableFuture();
	}

	/** Ours answer numbers in one text, of which the fourth is the wait. */
	private static boolean isToWait(List<Object> reply) {
		return (reply.get(0) instanceof byte[] numbers)
				? ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN).getDouble(3 * Double.BYTES) > 0
				: (Long) reply.get(0) == 0;
	}

}
