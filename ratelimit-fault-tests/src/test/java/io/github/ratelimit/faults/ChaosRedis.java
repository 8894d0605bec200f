package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.faults.ChaosFaults.Fault;
import io.github.ratelimit.redis.RedisProcess;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that keeps nothing when it is killed.
 */
final class ChaosRedis implements ChaosServer {

	/** All counts, however old. */
	private static final Duration ALL = Duration.ofDays(1);

	private final RedisProcess redis = RedisProcess.start();

	@Override
	public List<String> properties() {
		return List.of("ratelimit.store=redis", "spring.data.redis.host=127.0.0.1",
				"spring.data.redis.port=" + this.redis.port());
	}

	@Override
	public List<Fault> faults() {
		return List.of(new Fault("CRASH", (chaos) -> chaos.lose(ALL, () -> crash(chaos))),
				new Fault("HANG", this::hang),
				new Fault("CUT",
						(chaos) -> chaos
							.repeat(() -> tried(() -> commands().clientKill(KillArgs.Builder.typeNormal().skipme())))),
				new Fault("FULL", this::fill),
				new Fault("FORGET_SCRIPTS", (chaos) -> chaos.repeat(() -> tried(() -> commands().scriptFlush()))));
	}

	private void crash(ChaosFaults chaos) {
		this.redis.kill();
		chaos.sleep(0, 2000);
		this.redis.restart();
	}

	private void hang(ChaosFaults chaos) {
		this.redis.pause();
		chaos.sleep(100, 4000);
		this.redis.resume();
	}

	private void fill(ChaosFaults chaos) {
		ChaosFaults.retry(() -> tried(() -> commands().configSet("maxmemory", "1mb")));
		chaos.sleep(100, 3000);
		ChaosFaults.retry(() -> tried(() -> commands().configSet("maxmemory", "0")));
	}

	private RedisCommands<String, String> commands() {
		return this.redis.commands();
	}

	/** Returns false while this connection does not know that its server was killed. */
	private static boolean tried(Runnable action) {
		try {
			action.run();
			return true;
		}
		catch (RedisException ex) {
			return false;
		}
	}

	/** Ten timeouts, for so long a thread that reads may keep them from being noticed. */
	@Override
	public Duration longestCall() {
		return Duration.ofSeconds(1);
	}

	@Override
	public void requireEnds() {
		List<String> keys = commands().keys("*");
		assertThat(keys).isNotEmpty();
		assertThat(keys).allMatch((key) -> commands().pttl(key) != -1);
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
