package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.ratelimit.redis.RedisProcess;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Faults of a Redis, one after the other, as a random number says. After each, Redis is
 * well for a while.
 */
final class ChaosFaults {

	private final Map<Fault, Integer> numbers = new EnumMap<>(Fault.class);

	private final List<Loss> losses = new CopyOnWriteArrayList<>();

	private final RedisProcess redis;

	private final Random random;

	ChaosFaults(RedisProcess redis, Random random) {
		this.redis = redis;
		this.random = random;
	}

	/** Causes faults for a time, the last of which is over at the end. */
	void causeFor(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() - end < 0) {
			Fault fault = Fault.values()[this.random.nextInt(Fault.values().length)];
			cause(fault);
			this.numbers.merge(fault, 1, Integer::sum);
			sleep(300, 2500);
		}
	}

	/** Returns how often there was each fault. */
	Map<Fault, Integer> numbers() {
		return this.numbers;
	}

	/** Returns how often Redis may have lost its data within a time. */
	long lossesIn(long from, long to) {
		return this.losses.stream().filter((loss) -> loss.begin() - to < 0 && loss.end() - from > 0).count();
	}

	private void cause(Fault fault) {
		switch (fault) {
			case CRASH -> crash();
			case HANG -> {
				this.redis.pause();
				sleep(100, 4000);
				this.redis.resume();
			}
			case CUT -> repeat(() -> commands().clientKill(KillArgs.Builder.typeNormal().skipme()));
			case FULL -> {
				retry(() -> commands().configSet("maxmemory", "1mb"));
				sleep(100, 3000);
				retry(() -> commands().configSet("maxmemory", "0"));
			}
			case FORGET_SCRIPTS -> repeat(() -> commands().scriptFlush());
		}
	}

	private void crash() {
		long begin = System.nanoTime();
		this.redis.kill();
		sleep(0, 2000);
		this.redis.restart();
		this.losses.add(new Loss(begin, System.nanoTime()));
	}

	private RedisCommands<String, String> commands() {
		return this.redis.commands();
	}

	private void repeat(Runnable action) {
		for (int time = this.random.nextInt(20); time >= 0; time--) {
			retry(action);
			sleep(0, 100);
		}
	}

	/** Retries while this connection does not know that its server was killed. */
	private static void retry(Runnable action) {
		Timing.until(Duration.ofSeconds(20), () -> {
			try {
				action.run();
				return true;
			}
			catch (RedisException ex) {
				return false;
			}
		});
	}

	private void sleep(int least, int most) {
		Timing.sleep(Duration.ofMillis(this.random.nextInt(least, most)));
	}

	/** The kinds of faults. */
	enum Fault {

		/** Redis is killed and starts empty. */
		CRASH,
		/** Redis hangs. */
		HANG,
		/** Redis closes all connections of clients. */
		CUT,
		/** Redis has no memory left. */
		FULL,
		/** Redis forgets its scripts. */
		FORGET_SCRIPTS

	}

	/** A loss of all data, from the last moment before it to the first one after it. */
	private record Loss(long begin, long end) {

	}

}
