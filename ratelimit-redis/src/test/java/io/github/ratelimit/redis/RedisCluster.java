package io.github.ratelimit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.lettuce.core.Range;
import io.lettuce.core.api.sync.RedisCommands;

import static org.awaitility.Awaitility.await;

/**
 * A Redis Cluster for one test: three masters on the loopback address that share the
 * slots and end with the JVM.
 */
public final class RedisCluster implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16_384;

	private final List<RedisProcess> nodes = new ArrayList<>();

	private final List<RedisProcess> replicas = new ArrayList<>();

	private RedisCluster() {
	}

	/**
	 * Starts a cluster, and waits until each node can serve all of it.
	 * @return a cluster that replies
	 */
	public static RedisCluster start() {
		RedisCluster cluster = new RedisCluster();
		for (int index = 0; index < MASTERS; index++) {
			cluster.nodes.add(RedisProcess.start("--cluster-enabled", "yes"));
		}
		cluster.join();
		await().atMost(Duration.ofSeconds(30))
			.until(() -> cluster.commands().stream().allMatch(RedisCluster::isJoined));
		return cluster;
	}

	/**
	 * Starts a cluster in which each master has a replica. That takes over about two
	 * seconds after its master has died; the other slots are served meanwhile.
	 * @return a cluster that replies
	 */
	public static RedisCluster startWithReplicas() {
		RedisCluster cluster = new RedisCluster();
		String[] options = { "--cluster-enabled", "yes", "--cluster-node-timeout", "2000",
				"--cluster-require-full-coverage", "no" };
		for (int index = 0; index < MASTERS; index++) {
			cluster.nodes.add(RedisProcess.start(options));
			cluster.replicas.add(RedisProcess.start(options));
		}
		cluster.join();
		for (int index = 0; index < MASTERS; index++) {
			RedisCommands<String, String> replica = cluster.replicas.get(index).commands();
			String master = cluster.nodes.get(index).commands().clusterMyId();
			replica.clusterMeet("127.0.0.1", cluster.nodes.get(0).port());
			await().until(() -> replica.clusterNodes().contains(master));
			replica.clusterReplicate(master);
		}
		await().atMost(Duration.ofSeconds(30)).until(cluster::isReplicated);
		return cluster;
	}

	/**
	 * Returns a master.
	 * @param index the index in the order of slots, from 0
	 * @return the server, which may have been killed
	 */
	public RedisProcess master(int index) {
		return this.nodes.get(index);
	}

	/**
	 * Returns the replica that takes over from a master.
	 * @param index the index of the master
	 * @return the server
	 */
	public RedisProcess replica(int index) {
		return this.replicas.get(index);
	}

	/**
	 * Returns the nodes in the form of the property of Spring Boot.
	 * @return addresses and ports, separated by commas
	 */
	public String nodes() {
		return this.nodes.stream().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
	}

	/**
	 * Returns connections to inspect the nodes.
	 * @return the commands of each node
	 */
	public List<RedisCommands<String, String>> commands() {
		return this.nodes.stream().map(RedisProcess::commands).toList();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisProcess::close);
		this.replicas.forEach(RedisProcess::close);
	}

	@SuppressWarnings("unchecked")
	private void join() {
		for (int index = 0; index < MASTERS; index++) {
			RedisCommands<String, String> node = this.nodes.get(index).commands();
			node.clusterSetConfigEpoch(index + 1);
			node.clusterAddSlotsRange(Range.create(index * SLOTS / MASTERS, (index + 1) * SLOTS / MASTERS - 1));
			node.clusterMeet("127.0.0.1", this.nodes.get(0).port());
		}
	}

	private boolean isReplicated() {
		return commands().stream()
			.allMatch((node) -> node.clusterInfo().contains("cluster_known_nodes:" + 2 * MASTERS)
					&& node.info("replication").contains("state=online"));
	}

	private static boolean isJoined(RedisCommands<String, String> node) {
		List<String> lines = node.clusterInfo().lines().toList();
		return lines.contains("cluster_state:ok") && lines.contains("cluster_known_nodes:" + MASTERS);
	}

}
