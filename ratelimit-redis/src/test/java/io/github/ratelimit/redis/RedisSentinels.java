package io.github.ratelimit.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import static org.awaitility.Awaitility.await;

/**
 * A master, its replica and three sentinels for one test, on the loopback address. They
 * end with the JVM.
 */
public final class RedisSentinels implements AutoCloseable {

	/** The name of the master. */
	public static final String MASTER = "counts";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final RedisProcess master = RedisProcess.start();

	private final RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1",
			Integer.toString(this.master.port()));

	private final List<RedisProcess> sentinels = new ArrayList<>();

	private RedisSentinels() {
	}

	/**
	 * Starts all servers, and waits until each sentinel has found the others and the
	 * replica.
	 * @return sentinels that can fail over
	 */
	public static RedisSentinels start() {
		RedisSentinels all = new RedisSentinels();
		await().atMost(PATIENCE)
			.until(() -> all.replica.commands().info("replication").contains("master_link_status:up"));
		for (int index = 0; index < 3; index++) {
			all.sentinels.add(RedisProcess
				.startSentinel(List.of("sentinel monitor " + MASTER + " 127.0.0.1 " + all.master.port() + " 2",
						"sentinel down-after-milliseconds " + MASTER + " 1000",
						"sentinel failover-timeout " + MASTER + " 3000")));
		}
		await().atMost(PATIENCE).until(() -> all.sentinels.stream().allMatch(all::isReady));
		return all;
	}

	/**
	 * Returns the sentinels in the form of the property of Spring Boot.
	 * @return addresses and ports, separated by commas
	 */
	public String nodes() {
		return this.sentinels.stream().map((node) -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
	}

	/**
	 * Returns the first master.
	 * @return the server, which may have been killed
	 */
	public RedisProcess master() {
		return this.master;
	}

	/**
	 * Returns the server that takes over from the master.
	 * @return the server
	 */
	public RedisProcess replica() {
		return this.replica;
	}

	@Override
	public void close() {
		this.sentinels.forEach(RedisProcess::close);
		this.replica.close();
		this.master.close();
	}

	private boolean isReady(RedisProcess sentinel) {
		return sentinel.commands()
			.info("sentinel")
			.contains("status=ok,address=127.0.0.1:" + this.master.port() + ",slaves=1,sentinels=3");
	}

}
