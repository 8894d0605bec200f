package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.TcpProxy;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.Control.Change;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Controls of four instances on one Redis.
 */
@Tag("long")
class ControlsIT {

	private static final Logger LOGGER = LoggerFactory.getLogger(ControlsIT.class);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final int CHANGES = Integer.getInteger("test.changes", 8);

	private final RedisProcess redis = RedisProcess.start();

	private final TcpProxy proxy = TcpProxy.to(this.redis.port());

	private final List<AutoCloseable> open = new ArrayList<>();

	private final List<ControlledInstance> instances = new ArrayList<>();

	@BeforeEach
	void start() throws InterruptedException {
		for (int instance = 0; instance < 4; instance++) {
			this.instances.add(instance((instance == 3) ? this.proxy.port() : this.redis.port()));
		}
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void takeEffectOnAllInstancesWithinASecond() {
		long[] micros = new long[CHANGES];
		for (int change = 0; change < CHANGES; change++) {
			micros[change] = microsToSpread(change);
		}
		Arrays.sort(micros);
		long p99 = micros[(int) Math.ceil(CHANGES * 0.99) - 1];
		LOGGER.info("A control took effect on four instances after {} ms (p50), {} ms (p99)",
				micros[CHANGES / 2] / 1000, p99 / 1000);
		assertThat(p99).isLessThanOrEqualTo(TimeUnit.SECONDS.toMicros(1));
	}

	@Test
	void takeEffectAfterScriptsWereFlushed() {
		this.redis.commands().scriptFlush();
		assertThat(microsToSpread(0)).isLessThanOrEqualTo(TimeUnit.SECONDS.toMicros(1));
	}

	@Tag("slow")
	@Test
	void takeEffectWithinASecondOfTheReturnOfALostConnection() {
		this.proxy.mode(TcpProxy.Mode.REFUSE);
		this.proxy.reset();
		this.instances.get(0).controls().set(new Block("principal:eve"), null);
		LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10));
		assertThat(this.instances.get(3).isBanned("192.0.2.1", "eve")).isFalse();
		this.proxy.mode(TcpProxy.Mode.PASS);
		await(SECOND, () -> this.instances.get(3).isBanned("192.0.2.1", "eve"));
	}

	@Test
	void stayInEffectWhileRedisIsAway() {
		this.instances.get(0).controls().set(new Block("principal:eve"), null);
		await(SECOND, () -> this.instances.stream().allMatch((each) -> each.isBanned("192.0.2.1", "eve")));
		this.redis.pause();
		LockSupport.parkNanos(SECOND.toNanos());
		assertThat(this.instances).allMatch((each) -> each.isBanned("192.0.2.1", "eve"));
		this.redis.resume();
	}

	@Test
	void areReadByAnInstanceThatStarts() throws InterruptedException {
		this.instances.get(0).controls().set(new Ban("api", "principal:alice"), Duration.ofHours(1));
		this.instances.get(0).controls().set(new Change("api", List.of("7/1h"), null, null), null);
		ControlledInstance started = instance(this.redis.port());
		assertThat(started.policies().get("api").limits()).hasToString("[7/1h]");
		assertThat(started.policies().controls().of("api", "principal:alice").banned()).isTrue();
	}

	@Test
	void forgetDenialsOfAKeyThatWasReset() {
		ControlledInstance denied = this.instances.get(1);
		String key = "principal:alice";
		while (denied.isAllowed("api", key)) {
			assertThat(denied.policies().get("api")).isInstanceOf(Policy.class);
		}
		this.instances.get(0).controls().reset("api", key);
		await(SECOND, () -> denied.isAllowed("api", key));
		assertThat(this.redis.commands().keys("*controls}")).hasSize(1)
			.allSatisfy((hash) -> assertThat(this.redis.commands().hgetall(hash).toString()).contains("kind=reset")
				.doesNotContain("alice"));
	}

	@Test
	void expireTogetherWithTheirKeysInRedis() {
		this.instances.get(0).controls().set(new Block("principal:eve"), Duration.ofSeconds(1));
		await(SECOND, () -> this.instances.stream().allMatch((each) -> each.isBanned("192.0.2.1", "eve")));
		await(Duration.ofSeconds(2),
				() -> this.instances.stream().noneMatch((each) -> each.isBanned("192.0.2.1", "eve")));
		assertThat(this.redis.commands().keys("controls:*")).allMatch((key) -> this.redis.commands().pttl(key) > 0);
		this.instances.get(0).controls().set(new Block("principal:eve"), null);
		assertThat(this.redis.commands().keys("controls:*")).hasSize(3)
			.allMatch((key) -> this.redis.commands().pttl(key) == -1);
	}

	@Test
	void banAnAttackerOnAllInstancesAndNoNeighbour() {
		int calls = 0;
		long begin = System.nanoTime();
		while (!isBannedEverywhere("client-ip:192.0.2.1") && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(5)) {
			call(this.instances.get(calls++ % 4), "client-ip:192.0.2.1");
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(900));
		}
		LOGGER.info("An attacker was banned on four instances after {} calls in {} ms", calls,
				(System.nanoTime() - begin) / 1_000_000);
		assertThat(isBannedEverywhere("client-ip:192.0.2.1")).isTrue();
		assertThat(this.instances.get(0).controls().active()).hasSize(1);
		assertThat(this.instances.get(0).isAllowed("site", "client-ip:192.0.2.2")).isTrue();
	}

	private static void call(ControlledInstance instance, String key) {
		try {
			instance.isAllowed("site", key);
		}
		catch (BlockedCallerException ex) {
			assertThat(ex.isBanned()).isTrue();
		}
	}

	private boolean isBannedEverywhere(String key) {
		return this.instances.stream().allMatch((each) -> each.policies().controls().of("site", key).banned());
	}

	/** Returns how long a ban took until it was in effect on all instances. */
	private long microsToSpread(int change) {
		String caller = "caller-" + change;
		long start = System.nanoTime();
		ActiveControl ban = this.instances.get(change % 4).controls().set(new Block("principal:" + caller), null);
		await(Duration.ofSeconds(5),
				() -> this.instances.stream().allMatch((each) -> each.isBanned("192.0.2.1", caller)));
		long micros = (System.nanoTime() - start) / 1000;
		assertThat(this.instances.get((change + 1) % 4).controls().lift(ban.id())).isTrue();
		return micros;
	}

	private static void await(Duration longest, BooleanSupplier condition) {
		long end = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).as("within %s", longest).isLessThan(end);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
	}

	private ControlledInstance instance(int port) throws InterruptedException {
		return started(new LettuceConnectionFactory("127.0.0.1", port), this.open);
	}

	/** Starts an instance on Redis, and adds what is to be closed. */
	static ControlledInstance started(LettuceConnectionFactory application, List<AutoCloseable> open)
			throws InterruptedException {
		RedisRateLimitStore counts = RedisRateLimitStore.dedicated(application, "controls", SECOND, SECOND,
				"controls:counts");
		RedisControlStore store = new RedisControlStore(
				DedicatedConnectionFactory.like(application, SECOND, "controls:controls"), "controls");
		ControlledInstance instance = new ControlledInstance(counts, store);
		open.addAll(List.of(instance, store, counts));
		instance.start();
		return instance;
	}

}
