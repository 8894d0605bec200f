package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Speaks TLS for a server that does not: listens on a free port of the loopback address,
 * shows a certificate for {@code localhost} and {@code 127.0.0.1} that it signed itself,
 * and passes what it hears on.
 */
public final class TlsProxy implements AutoCloseable {

	/** The certificate and its key, in a PKCS #12 store on the class path. */
	public static final String STORE = "io/github/ratelimit/redis/tls.p12";

	/** What opens the store. */
	public static final String PASSWORD = "changeit";

	private final ServerSocket server;

	private final int target;

	private TlsProxy(ServerSocket server, int target) {
		this.server = server;
		this.target = target;
	}

	/**
	 * Starts a proxy.
	 * @param target the port of the server, on the loopback address
	 * @return a proxy that accepts connections
	 */
	public static TlsProxy to(int target) {
		try {
			ServerSocket server = context().getServerSocketFactory()
				.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
			TlsProxy proxy = new TlsProxy(server, target);
			inBackground(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where it listens.
	 * @return a port of the loopback address
	 */
	public int port() {
		return this.server.getLocalPort();
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void accept() throws IOException {
		while (!this.server.isClosed()) {
			Socket client = this.server.accept();
			Socket redis = new Socket(InetAddress.getLoopbackAddress(), this.target);
			inBackground(() -> pass(client, redis));
			inBackground(() -> pass(redis, client));
		}
	}

	private static void pass(Socket from, Socket to) throws IOException {
		try (from; to) {
			from.getInputStream().transferTo(to.getOutputStream());
		}
	}

	private static void inBackground(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// One side closed the connection, or the test the proxy.
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	private static SSLContext context() throws IOException {
		try (InputStream in = TlsProxy.class.getClassLoader().getResourceAsStream(STORE)) {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(in, PASSWORD.toCharArray());
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(store, PASSWORD.toCharArray());
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(keys.getKeyManagers(), null, null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private interface Task {

		void run() throws IOException;

	}

}
