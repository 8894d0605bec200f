package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.control.ActiveControl;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlTime;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.spring.control.Origin;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.spring.redis.driver.DedicatedConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Controls in Redis that begin later than they are set.
 */
class TimedControlsIT {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Ban BAN = new Ban("api", "principal:alice");

	private final RedisProcess redis = RedisProcess.start();

	private final List<AutoCloseable> open = new ArrayList<>();

	private ControlledInstance one;

	private ControlledInstance other;

	@BeforeEach
	void create() {
		this.one = instance();
		this.other = instance();
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.redis.close();
	}

	@Test
	void beginOnAllInstances() {
		this.one.start();
		this.other.start();
		Instant begin = now().plusMillis(900);
		ActiveControl ban = set(begin);
		await().until(() -> this.other.controls().waiting().equals(List.of(ban)));
		await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(3)).until(() -> {
			assertThat(Stream.of(this.one, this.other)).allMatch((each) -> !isBanned(each) || !now().isBefore(begin));
			return isBanned(this.one) && isBanned(this.other);
		});
		assertThat(Duration.between(begin, now())).isLessThan(SECOND);
		assertThat(this.other.controls().active()).containsExactly(ban);
		assertThat(this.other.controls().waiting()).isEmpty();
	}

	@Test
	void areWrittenBackAndStillWait() {
		ActiveControl ban = set(now().plus(HOUR));
		look(this.other);
		this.redis.commands().flushall();
		look(this.one, this.other);
		ControlledInstance started = instance();
		look(started);
		assertThat(Stream.of(this.one, this.other, started)).allSatisfy((each) -> {
			assertThat(each.controls().waiting()).containsExactly(ban);
			assertThat(each.controls().active()).isEmpty();
			assertThat(isBanned(each)).isFalse();
		});
		assertThat(this.one.controls().restored() + this.other.controls().restored()).isOne();
		started.controls().lift(ban.id());
		look(this.one, this.other);
		assertThat(this.one.controls().waiting()).isEmpty();
	}

	@Test
	void beginWhileRedisIsAway() {
		this.one.start();
		Instant begin = now().plusMillis(700);
		set(begin);
		this.redis.pause();
		await().pollInterval(Duration.ofMillis(20)).atMost(Duration.ofSeconds(10)).until(() -> isBanned(this.one));
		this.redis.resume();
	}

	private ActiveControl set(Instant begin) {
		return this.one.controls()
			.replace(BAN, ControlTime.lasting(HOUR).from(begin), Origin.operator("ada", null))
			.control();
	}

	/** Returns the time of Redis, which is on this machine. */
	private static Instant now() {
		return Instant.now();
	}

	private static boolean isBanned(ControlledInstance instance) {
		return instance.policies().controls().of("api", "principal:alice").banned();
	}

	private static void look(ControlledInstance... instances) {
		Stream.of(instances).forEach((each) -> each.controls().refresh());
	}

	private ControlledInstance instance() {
		RedisRateLimitStore counts = counts();
		RedisControlStore controls = new RedisControlStore(connections(), "controls");
		ControlledInstance instance = new ControlledInstance(counts, controls);
		this.open.addAll(List.of(instance, controls, counts));
		return instance;
	}

	private RedisRateLimitStore counts() {
		return RedisRateLimitStore.dedicated(new LettuceConnectionFactory("127.0.0.1", this.redis.port()), "controls",
				SECOND, SECOND, "ratelimit:counts");
	}

	private DedicatedConnectionFactory connections() {
		return DedicatedConnectionFactory.like(new LettuceConnectionFactory("127.0.0.1", this.redis.port()), SECOND,
				"ratelimit:controls");
	}

}
