package io.github.ratelimit.spring.web.servlet;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * A response that counts the bytes of its body.
 */
final class MeasuredResponse extends HttpServletResponseWrapper {

	private final AtomicLong size = new AtomicLong();

	private @Nullable ServletOutputStream stream;

	private @Nullable PrintWriter writer;

	private MeasuredResponse(HttpServletResponse response) {
		super(response);
	}

	/** Returns a response as a measured one: itself if it is dispatched again. */
	static HttpServletResponse of(HttpServletResponse response) {
		return (find(response) != null) ? response : new MeasuredResponse(response);
	}

	/** Returns the measured response behind wrappers, or null. */
	static @Nullable MeasuredResponse find(HttpServletResponse response) {
		return WebUtils.getNativeResponse(response, MeasuredResponse.class);
	}

	/** Returns the bytes that were written. */
	long size() {
		PrintWriter writer = this.writer;
		if (writer != null) {
			writer.flush();
		}
		return this.size.get();
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		if (this.stream == null) {
			this.stream = new CountingStream(super.getOutputStream());
		}
		return this.stream;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.writer == null) {
			String encoding = getCharacterEncoding();
			Charset charset = (encoding != null) ? Charset.forName(encoding) : StandardCharsets.ISO_8859_1;
			setCharacterEncoding(charset.name());
			this.writer = new PrintWriter(new OutputStreamWriter(getOutputStream(), charset));
		}
		return this.writer;
	}

	@Override
	public void flushBuffer() throws IOException {
		if (this.writer != null) {
			this.writer.flush();
		}
		super.flushBuffer();
	}

	/** A stream that counts, used by one thread at a time. */
	private final class CountingStream extends ServletOutputStream {

		private final ServletOutputStream stream;

		CountingStream(ServletOutputStream stream) {
			this.stream = stream;
		}

		@Override
		public void write(int value) throws IOException {
			this.stream.write(value);
			add(1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.stream.write(bytes, offset, length);
			add(length);
		}

		private void add(int bytes) {
			MeasuredResponse.this.size.addAndGet(bytes);
		}

		@Override
		public void flush() throws IOException {
			this.stream.flush();
		}

		@Override
		public void close() throws IOException {
			this.stream.close();
		}

		@Override
		public boolean isReady() {
			return this.stream.isReady();
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			this.stream.setWriteListener(listener);
		}

	}

}
