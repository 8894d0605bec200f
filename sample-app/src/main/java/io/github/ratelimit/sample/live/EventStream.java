package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

/**
 * A stream of server-sent events to one browser. It needs no thread of its own. The
 * sending thread writes an event if the connection is ready, and a thread of the
 * container writes the rest later. A browser that reads too slowly is disconnected.
 * Thread-safe.
 */
final class EventStream implements WriteListener, AsyncListener {

	/** The most events that wait for a slow connection. */
	private static final int MOST_PENDING = 256;

	private final Queue<byte[]> pending = new ArrayDeque<>();

	private final UUID visitor;

	private final AsyncContext context;

	private final ServletOutputStream output;

	private final Consumer<EventStream> onEnd;

	/** Set by the container's first callback. No thread writes before. */
	private boolean started;

	private boolean flushed = true;

	private boolean ended;

	EventStream(UUID visitor, AsyncContext context, Consumer<EventStream> onEnd) throws IOException {
		this.visitor = visitor;
		this.context = context;
		this.output = context.getResponse().getOutputStream();
		this.onEnd = onEnd;
	}

	/** Begins to write. */
	void start() {
		this.context.setTimeout(0);
		this.context.addListener(this);
		this.output.setWriteListener(this);
	}

	UUID visitor() {
		return this.visitor;
	}

	/** Sends a named event. */
	void send(String name, String json) {
		sendText("event: " + name + "\ndata: " + json + "\n\n");
	}

	/** Sends a comment, by which either side notices that the other has gone. */
	void sendHeartbeat() {
		sendText(":\n\n");
	}

	private void sendText(String text) {
		try {
			if (tryAdd(text)) {
				write();
			}
			else {
				end();
			}
		}
		catch (IOException ex) {
			end();
		}
	}

	private synchronized boolean tryAdd(String text) {
		return this.pending.size() < MOST_PENDING && this.pending.add(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void onWritePossible() throws IOException {
		synchronized (this) {
			this.started = true;
		}
		write();
	}

	/** Writes until nothing is pending or the connection takes no more. */
	private synchronized void write() throws IOException {
		while (this.started && !this.ended && !isDone() && this.output.isReady()) {
			byte[] next = this.pending.poll();
			if (next != null) {
				this.output.write(next);
			}
			else {
				this.output.flush();
			}
			this.flushed = (next == null);
		}
	}

	private boolean isDone() {
		return this.pending.isEmpty() && this.flushed;
	}

	@Override
	public void onError(Throwable failure) {
		end();
	}

	/** Completes the response, which would otherwise become an error page. */
	@Override
	public void onError(AsyncEvent event) {
		end();
		complete();
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		end();
	}

	@Override
	public void onComplete(AsyncEvent event) {
		end();
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
	}

	/**
	 * Ends the stream and writes the end of the response. The container would write it
	 * later, which a web server that stops may not wait for.
	 */
	void finish() {
		try {
			closeIfReady();
		}
		catch (IOException ex) {
			// The browser has gone.
		}
		end();
	}

	private synchronized void closeIfReady() throws IOException {
		if (this.started && !this.ended && this.output.isReady()) {
			this.output.close();
		}
	}

	/** Ends the stream, once. */
	void end() {
		synchronized (this) {
			if (this.ended) {
				return;
			}
			this.ended = true;
		}
		this.onEnd.accept(this);
		complete();
	}

	private void complete() {
		try {
			this.context.complete();
		}
		catch (IllegalStateException ex) {
			// The response is complete, or the container is about to report the error.
		}
	}

}
