package io.github.ratelimit.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback address that is free, as is that of its cluster bus, both below
 * those that the system gives to outgoing connections.
 */
public final class FreePort {

	/** From a port to that of the node's cluster bus. */
	private static final int TO_BUS = 10_000;

	private FreePort() {
	}

	/**
	 * Looks for a port.
	 * @return one that nothing listens on
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
