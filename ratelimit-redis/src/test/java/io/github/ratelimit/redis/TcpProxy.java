package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import javax.net.ServerSocketFactory;

/**
 * A network between a client and a server on the loopback address, with the faults of
 * networks.
 */
public final class TcpProxy implements AutoCloseable {

	private final ServerSocket server;

	private volatile int target;

	private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

	private final Set<Socket> stranded = ConcurrentHashMap.newKeySet();

	private final AtomicLong swallowed = new AtomicLong();

	private volatile Mode mode = Mode.PASS;

	private TcpProxy(ServerSocket server, int target) {
		this.server = server;
		this.target = target;
	}

	/**
	 * Starts a proxy.
	 * @param target the port of the server
	 * @return a proxy that passes everything on
	 */
	public static TcpProxy to(int target) {
		return to(target, ServerSocketFactory.getDefault());
	}

	static TcpProxy to(int target, ServerSocketFactory sockets) {
		try {
			TcpProxy proxy = new TcpProxy(sockets.createServerSocket(0, 512, InetAddress.getLoopbackAddress()), target);
			inBackground(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the port.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.server.getLocalPort();
	}

	/**
	 * Changes the treatment of data and connections, old and new.
	 * @param mode the treatment from now on
	 */
	public void mode(Mode mode) {
		this.mode = mode;
	}

	/**
	 * Leads new connections to another server. Connections that are open stay.
	 * @param target the port of the other server
	 */
	public void redirect(int target) {
		this.target = target;
	}

	/**
	 * Returns the number of parts of replies that were dropped.
	 * @return a number that grows
	 */
	public long swallowed() {
		return this.swallowed.get();
	}

	/** Makes all current connections end in nothing for good, and passes new ones on. */
	public void strand() {
		this.stranded.addAll(this.clients);
	}

	/** Ends every connection to a client in good order (FIN). */
	public void cut() {
		end(false);
	}

	/** Ends every connection to a client without regard (RST). */
	public void reset() {
		end(true);
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		reset();
	}

	private void end(boolean reset) {
		for (Socket client : Set.copyOf(this.clients)) {
			this.clients.remove(client);
			quietly(() -> {
				client.setSoLinger(reset, 0);
				client.close();
			});
		}
	}

	private void accept() throws IOException {
		while (!this.server.isClosed()) {
			Socket client = this.server.accept();
			if (this.mode == Mode.REFUSE) {
				client.setSoLinger(true, 0);
				client.close();
				continue;
			}
			client.setTcpNoDelay(true);
			this.clients.add(client);
			Socket redis = new Socket(InetAddress.getLoopbackAddress(), this.target);
			redis.setTcpNoDelay(true);
			inBackground(() -> pass(client, redis, true));
			inBackground(() -> pass(redis, client, false));
		}
	}

	private void pass(Socket from, Socket to, boolean toServer) throws IOException {
		byte[] buffer = new byte[16_384];
		try (from; to; InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				while (isDelayed(from, to)) {
					LockSupport.parkNanos(1_000_000);
				}
				if (!toServer && this.mode == Mode.SWALLOW) {
					this.swallowed.incrementAndGet();
				}
				else {
					out.write(buffer, 0, length);
				}
			}
		}
		finally {
			this.clients.remove(toServer ? from : to);
		}
	}

	private boolean isDelayed(Socket from, Socket to) {
		boolean delayed = this.mode == Mode.HOLE || this.stranded.contains(from) || this.stranded.contains(to);
		return delayed && !from.isClosed() && !to.isClosed();
	}

	private static void inBackground(Task task) {
		Thread thread = new Thread(() -> quietly(task), "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private static void quietly(Task task) {
		try {
			task.run();
		}
		catch (IOException ex) {
			// One side closed the connection, or the test the proxy.
		}
	}

	/** The treatments of data and connections. */
	public enum Mode {

		/** Passes everything on. */
		PASS,

		/** Passes requests on and drops the replies. */
		SWALLOW,

		/** Delays everything without a notice. */
		HOLE,

		/** Ends new connections at once. */
		REFUSE

	}

	private interface Task {

		void run() throws IOException;

	}

}
