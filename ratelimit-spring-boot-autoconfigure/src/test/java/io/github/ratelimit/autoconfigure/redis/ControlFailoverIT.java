package io.github.ratelimit.autoconfigure.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.RedisSentinels;
import io.github.ratelimit.spring.control.Control.Block;
import io.github.ratelimit.spring.control.ControlledInstance;
import io.github.ratelimit.store.RateLimitStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Controls of four instances whose Redis fails over.
 */
@Tag("slow")
class ControlFailoverIT {

	private static final Logger LOGGER = LoggerFactory.getLogger(ControlFailoverIT.class);

	private static final String HASH = "controls:1:{controls}";

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final RedisSentinels sentinels = RedisSentinels.start();

	private final List<AutoCloseable> open = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.sentinels.close();
	}

	@Test
	void stayInEffectAndTakeEffectWithinASecond() throws InterruptedException {
		List<ControlledInstance> instances = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			instances.add(instance());
		}
		instances.get(0).controls().set(new Block("principal:before"), null);
		await().atMost(SECOND).until(() -> areBanned(instances, "before"));
		awaitReplica();
		this.sentinels.master().kill();
		await().atMost(PATIENCE)
			.until(() -> this.sentinels.replica().commands().info("replication").contains("role:master"));
		long promoted = System.nanoTime();
		await().atMost(PATIENCE)
			.until(() -> IntStream.range(0, 4).allMatch((i) -> isSet(instances.get(i), "after-" + i)));
		LOGGER.info("Controls could be set again {} ms after the failover", (System.nanoTime() - promoted) / 1_000_000);
		long set = System.nanoTime();
		instances.get(0).controls().set(new Block("principal:late"), null);
		await().pollInterval(Duration.ofMillis(5)).atMost(SECOND).until(() -> areBanned(instances, "late"));
		LOGGER.info("A control took effect after a failover within {} ms", (System.nanoTime() - set) / 1_000_000);
		assertThat(areBanned(instances, "before")).isTrue();
	}

	/**
	 * Replication is forbidden rather than delayed, as buffers would keep what is late.
	 */
	@Test
	void areWrittenBackWithinASecondOfAFailoverToAReplicaThatLags() throws InterruptedException {
		List<ControlledInstance> instances = List.of(instance(), instance());
		String lifted = instances.get(0).controls().set(new Block("principal:lifted"), null).id();
		awaitReplica();
		this.sentinels.master().send("ACL SETUSER default -psync -sync -replconf");
		this.sentinels.master().send("CLIENT KILL TYPE replica");
		await().atMost(PATIENCE)
			.until(() -> this.sentinels.replica().commands().info("replication").contains("master_link_status:down"));
		String lost = instances.get(0).controls().set(new Block("principal:lost"), null).id();
		instances.get(1).controls().lift(lifted);
		await().atMost(SECOND).until(() -> areBanned(instances, "lost"));
		assertThat(stored()).containsKey(lifted).doesNotContainKey(lost);
		this.sentinels.master().kill();
		await().atMost(PATIENCE)
			.until(() -> this.sentinels.replica().commands().info("replication").contains("role:master"));
		await().atMost(PATIENCE).until(() -> reads(instances.get(0)) || reads(instances.get(1)));
		await().pollInterval(Duration.ofMillis(5))
			.atMost(SECOND)
			.until(() -> stored().containsKey(lost) && !stored().containsKey(lifted));
		await().atMost(SECOND).until(() -> areBanned(instances, "lost") && !areBanned(instances, "lifted"));
	}

	private Map<String, String> stored() {
		return this.sentinels.replica().commands().hgetall(HASH);
	}

	private static boolean reads(ControlledInstance instance) {
		try {
			instance.controls().refresh();
			return true;
		}
		catch (RateLimitStoreException ex) {
			return false;
		}
	}

	private void awaitReplica() {
		await().atMost(PATIENCE).until(() -> this.sentinels.replica().commands().exists(HASH) == 1);
	}

	private static boolean areBanned(List<ControlledInstance> instances, String principal) {
		return instances.stream().allMatch((each) -> each.isBanned("192.0.2.1", principal));
	}

	private static boolean isSet(ControlledInstance instance, String principal) {
		try {
			instance.controls().set(new Block("principal:" + principal), null);
			return true;
		}
		catch (RateLimitStoreException ex) {
			return false;
		}
	}

	private ControlledInstance instance() throws InterruptedException {
		return ControlsIT.started(new LettuceConnectionFactory(new RedisSentinelConfiguration(RedisSentinels.MASTER,
				StringUtils.commaDelimitedListToSet(this.sentinels.nodes()))), this.open);
	}

}
