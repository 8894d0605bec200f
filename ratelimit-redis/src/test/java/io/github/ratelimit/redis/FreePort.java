package io.github.ratelimit.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A free port of the loopback address, whose cluster bus port is free too. Both are below
 * the ports that the system gives to outgoing connections.
 */
public final class FreePort {

	/** The distance from a port to that of the cluster bus of the node. */
	private static final int TO_BUS = 10_000;

	private FreePort() {
	}

	/**
	 * Returns a free port.
	 * @return a port without a listener
	 */
	public static int choose() {
		for (int attempt = 0; attempt < 1000; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(10_000, 22_000);
			if (isFree(port) && isFree(port + TO_BUS)) {
				return port;
			}
		}
		throw new IllegalStateException("No port is free");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
