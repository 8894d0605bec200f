package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A proxy that adds TLS to a server. It listens on a free port of the loopback address,
 * has a self-signed certificate for {@code localhost} and {@code 127.0.0.1}, and passes
 * everything on.
 */
public final class TlsProxy {

	/** The certificate and its key, in a PKCS #12 store on the class path. */
	public static final String STORE = "io/github/ratelimit/redis/tls.p12";

	/** The password of the store. */
	public static final String PASSWORD = "changeit";

	private TlsProxy() {
	}

	/**
	 * Starts a proxy.
	 * @param target the port of the server, on the loopback address
	 * @return a proxy that accepts connections
	 */
	public static TcpProxy to(int target) {
		return TcpProxy.to(target, context().getServerSocketFactory());
	}

	private static SSLContext context() {
		try (InputStream in = TlsProxy.class.getClassLoader().getResourceAsStream(STORE)) {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(in, PASSWORD.toCharArray());
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(store, PASSWORD.toCharArray());
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(keys.getKeyManagers(), null, null);
			return context;
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
