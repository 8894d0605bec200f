package io.github.ratelimit.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.faults.FaultTable.Rows;
import io.github.ratelimit.redis.RedisCluster;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisSentinels;
import io.github.ratelimit.spring.redis.RedisRateLimitStore;
import io.github.ratelimit.store.StoreOperation;
import io.github.ratelimit.store.StoreRequest;
import io.lettuce.core.MigrateArgs;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failovers and moving slots, with sentinels and in a cluster of three masters and three
 * replicas.
 */
@ExtendWith(FaultTable.class)
@Tag("slow")
class FailoverIT {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Test
	void followsTheMasterOfSentinels(Rows table) {
		try (RedisSentinels sentinels = RedisSentinels.start();
				RedisRateLimitStore store = Stores.dedicated(new LettuceConnectionFactory(nodesOf(sentinels)));
				Load load = Load.on(store, 16)) {
			long killed = System.nanoTime();
			sentinels.master().kill();
			Duration failover = Timing.until(PATIENCE, () -> isMaster(sentinels.replica()));
			Duration recovery = load.recoveryAfter(killed + failover.toNanos());
			assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(2));
			table.add("11 Sentinel master killed", "deciding within 2 s of the failover", figures(failover, recovery));
		}
	}

	@Test
	void followsTheMasterOfAClusterAndServesTheOthers(Rows table) {
		try (RedisCluster cluster = RedisCluster.startWithReplicas();
				RedisRateLimitStore store = Stores.dedicated(new LettuceConnectionFactory(nodesOf(cluster)))) {
			List<String> keys = keyOfEachMaster(cluster, store);
			try (Load dying = Load.on(store, 8, () -> FaultPermits.one(keys.get(0)));
					Load healthy = Load.on(store, 8, () -> FaultPermits.one(keys.get(1)))) {
				long killed = System.nanoTime();
				cluster.master(0).kill();
				Duration failover = Timing.until(PATIENCE, () -> isMaster(cluster.replica(0)));
				Duration recovery = dying.recoveryAfter(killed + failover.toNanos());
				assertThat(recovery).isLessThanOrEqualTo(Duration.ofSeconds(2));
				assertThat(healthy.since(killed).failures()).isEmpty();
				table.add("15 Cluster master killed",
						"deciding within 2 s of the failover; no failure in slots of other masters",
						figures(failover, recovery) + "; 0 failures of " + healthy.since(killed).size() + " elsewhere");
			}
		}
	}

	@Test
	void failsNothingWhileSlotsMove(Rows table) {
		try (RedisCluster cluster = RedisCluster.startWithReplicas();
				RedisRateLimitStore store = Stores.dedicated(new LettuceConnectionFactory(nodesOf(cluster)))) {
			List<String> keys = IntStream.range(0, 100).mapToObj((key) -> "key-" + key).toList();
			Timing.until(PATIENCE, () -> Stores.tryAcquire(store, "other"));
			keys.forEach(
					(key) -> store.execute(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.onTwoLimits(key, 1))));
			List<Integer> slots = slots(cluster.master(0).commands());
			try (Load load = Load.on(store, 16,
					() -> FaultPermits.onTwoLimits(keys.get((int) (System.nanoTime() % keys.size())), 1))) {
				slots.forEach((slot) -> move(slot, cluster.master(0), cluster.master(1)));
				load.end();
				assertThat(load.all().failures()).isEmpty();
				long charged = keys.stream()
					.mapToLong((key) -> FaultPermits.charged(store, FaultPermits.onTwoLimits(key, 0)))
					.sum();
				assertThat(charged - keys.size()).isEqualTo(load.all().size());
				table.add("13 Slots move, one key after the other", "no failure; charges equal calls", slots.size()
						+ " slots, 0 failures, " + load.all().size() + " charges of as many calls of two limits");
			}
		}
	}

	private static void move(int slot, RedisProcess from, RedisProcess to) {
		String source = from.commands().clusterMyId();
		String target = to.commands().clusterMyId();
		to.commands().clusterSetSlotImporting(slot, source);
		from.commands().clusterSetSlotMigrating(slot, target);
		for (String key : from.commands().clusterGetKeysInSlot(slot, 100)) {
			from.commands().migrate("127.0.0.1", to.port(), 0, 1000, MigrateArgs.Builder.key(key));
			Timing.sleep(Duration.ofMillis(20));
		}
		to.commands().clusterSetSlotNode(slot, target);
		from.commands().clusterSetSlotNode(slot, target);
	}

	private static List<Integer> slots(RedisCommands<String, String> node) {
		return node.keys("*").stream().map(SlotHash::getSlot).distinct().toList();
	}

	private static List<String> keyOfEachMaster(RedisCluster cluster, RedisRateLimitStore store) {
		Timing.until(PATIENCE, () -> Stores.tryAcquire(store, "other"));
		List<String> keys = new ArrayList<>();
		for (int index = 0; keys.size() < 3; index++) {
			RedisCommands<String, String> master = cluster.master(keys.size()).commands();
			long before = master.dbsize();
			store.execute(new StoreRequest(StoreOperation.ACQUIRE, FaultPermits.one("key-" + index)));
			if (master.dbsize() > before) {
				keys.add("key-" + index);
			}
		}
		return keys;
	}

	private static boolean isMaster(RedisProcess redis) {
		try {
			return redis.commands().role().get(0).equals("master");
		}
		catch (RedisException ex) {
			// A server that is promoted ends its connections.
			return false;
		}
	}

	private static RedisClusterConfiguration nodesOf(RedisCluster cluster) {
		return new RedisClusterConfiguration(StringUtils.commaDelimitedListToSet(cluster.nodes()));
	}

	private static RedisSentinelConfiguration nodesOf(RedisSentinels sentinels) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(RedisSentinels.MASTER);
		for (String node : StringUtils.commaDelimitedListToSet(sentinels.nodes())) {
			configuration.sentinel("127.0.0.1", Integer.parseInt(node.substring(node.indexOf(':') + 1)));
		}
		return configuration;
	}

	private static String figures(Duration failover, Duration recovery) {
		return "failover " + failover.toMillis() / 1e3 + " s, deciding " + recovery.toMillis() / 1e3 + " s later";
	}

}
