package io.github.ratelimit.sample.live;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/**
 * The open streams, of a bounded number. They end before the web server stops, which
 * would wait for them. Thread-safe.
 */
@Component
class EventStreams implements SmartLifecycle {

	private final List<EventStream> open = new CopyOnWriteArrayList<>();

	private final int most;

	private boolean running;

	EventStreams(LiveProperties properties) {
		this.most = properties.maxStreams();
	}

	/**
	 * Opens a stream as the response to a request.
	 * @throws ErrorResponseException with a 503 if there is no room for another
	 */
	EventStream open(UUID visitor, HttpServletRequest request, HttpServletResponse response) throws IOException {
		synchronized (this) {
			if (!this.running || this.open.size() >= this.most) {
				throw new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE);
			}
			response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
			response.setCharacterEncoding(StandardCharsets.UTF_8.name());
			EventStream stream = new EventStream(visitor, request.startAsync(request, response), this.open::remove);
			this.open.add(stream);
			return stream;
		}
	}

	/** Returns whether a visitor has a stream. */
	boolean isOpen(UUID visitor) {
		return this.open.stream().anyMatch((stream) -> stream.visitor().equals(visitor));
	}

	/** Sends an event to the streams of a visitor. */
	void send(UUID visitor, String name, String json) {
		for (EventStream stream : this.open) {
			if (stream.visitor().equals(visitor)) {
				stream.send(name, json);
			}
		}
	}

	/** Returns the number of open streams. */
	int count() {
		return this.open.size();
	}

	/** Finds connections that have gone, and keeps the others open. */
	@Scheduled(fixedDelayString = "${sample.live.heartbeat:10s}")
	void sendHeartbeats() {
		this.open.forEach(EventStream::sendHeartbeat);
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		synchronized (this) {
			this.running = false;
		}
		this.open.forEach(EventStream::finish);
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

}
