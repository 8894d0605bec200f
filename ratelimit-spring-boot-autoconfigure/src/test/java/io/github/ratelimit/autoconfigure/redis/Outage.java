package io.github.ratelimit.autoconfigure.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.store.RateLimitStoreException.Kind;
import io.lettuce.core.ScriptOutputType;

import static org.awaitility.Awaitility.await;

/**
 * A kind of outage of Redis, one or more for each kind of failure that it can cause.
 */
enum Outage {

	HANGS(Kind.TIMEOUT, RedisProcess::pause, RedisProcess::resume),

	IS_SLOW(Kind.TIMEOUT, (redis) -> {
	}, (redis) -> {
	}) {

		@Override
		void goOn(RedisProcess redis) {
			redis.send("CLIENT PAUSE " + TimeUnit.SECONDS.toMillis(1) / 4);
		}

	},

	REFUSES(Kind.CONNECTION, RedisProcess::kill, RedisProcess::restart),

	IS_FULL(Kind.OOM, (redis) -> redis.commands().configSet("maxmemory", "1"),
			(redis) -> redis.commands().configSet("maxmemory", "0")),

	TAKES_NO_WRITES(Kind.READONLY, (redis) -> redis.commands().replicaof("127.0.0.1", 1),
			(redis) -> redis.commands().replicaofNoOne()),

	WITHDRAWS_RIGHTS(Kind.AUTH, (redis) -> redis.send("ACL SETUSER default -eval -evalsha"),
			(redis) -> redis.send("ACL SETUSER default +eval +evalsha")),

	IS_BUSY(Kind.BUSY, (redis) -> {
		redis.commands().configSet("busy-reply-threshold", "50");
		redis.send("EVAL 'while true do end' 0");
	}, (redis) -> redis.commands().scriptKill()),

	LOADS(Kind.LOADING, Outage::restartWithData, RedisProcess::awaitPong) {

		@Override
		Kind first() {
			return Kind.CONNECTION;
		}

	},

	LACKS_A_SLOT(Kind.CLUSTER, (redis) -> redis.commands().clusterDelSlots(1),
			(redis) -> redis.commands().clusterAddSlots(1));

	private static final int SLOTS = 16_384;

	private final Kind kind;

	private final Consumer<RedisProcess> begin;

	private final Consumer<RedisProcess> end;

	Outage(Kind kind, Consumer<RedisProcess> begin, Consumer<RedisProcess> end) {
		this.kind = kind;
		this.begin = begin;
		this.end = end;
	}

	Kind kind() {
		return this.kind;
	}

	/**
	 * Returns a timeout, which is long where no call of the outage waits, for a busy
	 * machine.
	 */
	String timeout() {
		return (this.kind == Kind.TIMEOUT) ? "150ms" : "2s";
	}

	/** Returns the kind of its first failures. */
	Kind first() {
		return this.kind;
	}

	/** Starts a Redis that can have this outage. */
	RedisProcess start() {
		if (this != LACKS_A_SLOT) {
			return RedisProcess.start();
		}
		RedisProcess redis = RedisProcess.start("--cluster-enabled", "yes");
		redis.commands().clusterAddSlots(IntStream.range(0, SLOTS).toArray());
		await().until(() -> redis.commands().clusterInfo().contains("cluster_state:ok"));
		return redis;
	}

	void begin(RedisProcess redis) {
		this.begin.accept(redis);
	}

	/** Is called with each call during the outage. */
	void goOn(RedisProcess redis) {
	}

	void end(RedisProcess redis) {
		this.end.accept(redis);
	}

	/** Restarts with keys that take more than three seconds to load. */
	private static void restartWithData(RedisProcess redis) {
		redis.commands().eval("for i = 1, 25000 do redis.call('SET', i, 'x') end return 'OK'", ScriptOutputType.STATUS);
		redis.commands().save();
		redis.kill();
		redis.startAgain("--key-load-delay", "100", "--loading-process-events-interval-bytes", "1024");
	}

}
