package io.github.ratelimit.spring.web;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A connection for requests byte by byte, which is opened again once the server has
 * closed it.
 */
final class OpenConnection implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 20_000;

	private final int port;

	private @Nullable Socket socket;

	private @Nullable InputStream responses;

	OpenConnection(int port) {
		this.port = port;
	}

	/** Sends a request, and returns the status of its response. */
	int send(byte[] request) throws IOException {
		Socket socket = this.socket;
		InputStream in = this.responses;
		if (socket == null || in == null) {
			socket = new Socket(InetAddress.getLoopbackAddress(), this.port);
			socket.setSoTimeout(TIMEOUT_MILLIS);
			in = new BufferedInputStream(socket.getInputStream());
			this.socket = socket;
			this.responses = in;
		}
		socket.getOutputStream().write(request);
		return read(in);
	}

	private int read(InputStream in) throws IOException {
		int status = Integer.parseInt(line(in).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
		long length = 0;
		boolean isLast = false;
		for (String header = line(in); !header.isEmpty(); header = line(in)) {
			String lower = header.toLowerCase(Locale.ROOT);
			isLast |= lower.equals("connection: close") || lower.startsWith("transfer-encoding:");
			length = lower.startsWith("content-length: ") ? Long.parseLong(header.substring(16)) : length;
		}
		in.skipNBytes(length);
		if (isLast) {
			close();
		}
		return status;
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int next = in.read(); next != '\n'; next = in.read()) {
			if (next < 0) {
				throw new EOFException(line.toString());
			}
			line.append((char) next);
		}
		return line.toString().strip();
	}

	@Override
	public void close() throws IOException {
		if (this.socket != null) {
			this.socket.close();
			this.socket = null;
		}
	}

}
