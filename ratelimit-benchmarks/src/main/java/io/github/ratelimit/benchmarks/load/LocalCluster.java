package io.github.ratelimit.benchmarks.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.github.ratelimit.redis.RedisProcess;
import io.lettuce.core.Range;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * A Redis Cluster of some masters on the loopback address, which share the slots.
 *
 * @param masters the servers
 */
record LocalCluster(List<RedisProcess> masters) implements AutoCloseable {

	private static final int SLOTS = 16_384;

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/** Starts a cluster and waits until each master can serve all of it. */
	static LocalCluster start(int masters) {
		LocalCluster cluster = new LocalCluster(IntStream.range(0, masters)
			.mapToObj((index) -> RedisProcess.start("--cluster-enabled", "yes"))
			.toList());
		cluster.join();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (!cluster.masters.stream().allMatch(cluster::isJoined)) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("The cluster did not come up");
			}
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
		return cluster;
	}

	/** Returns the addresses at which the servers listen. */
	List<String> addresses() {
		return this.masters.stream().map((master) -> "127.0.0.1:" + master.port()).toList();
	}

	@Override
	public void close() {
		this.masters.forEach(RedisProcess::close);
	}

	@SuppressWarnings("unchecked")
	private void join() {
		int count = this.masters.size();
		for (int index = 0; index < count; index++) {
			RedisCommands<String, String> master = this.masters.get(index).commands();
			master.clusterSetConfigEpoch(index + 1);
			master.clusterAddSlotsRange(Range.create(index * SLOTS / count, (index + 1) * SLOTS / count - 1));
			master.clusterMeet("127.0.0.1", this.masters.get(0).port());
		}
	}

	private boolean isJoined(RedisProcess master) {
		List<String> lines = master.commands().clusterInfo().lines().toList();
		return lines.contains("cluster_state:ok") && lines.contains("cluster_known_nodes:" + this.masters.size());
	}

}
