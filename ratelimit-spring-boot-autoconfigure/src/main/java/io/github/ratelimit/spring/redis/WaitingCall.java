package io.github.ratelimit.spring.redis;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * What is read from a run of a script that is still to come.
 *
 * @param <T> what is read
 */
final class WaitingCall<T> extends CompletableFuture<T> {

	private final ScriptCall call;

	private final ReplyReader<T> reader;

	private final long since;

	/**
	 * A call.
	 * @param since when it came, by {@link ScriptRunner#now}
	 */
	WaitingCall(ScriptCall call, ReplyReader<T> reader, long since) {
		this.call = call;
		this.reader = reader;
		this.since = since;
	}

	long since() {
		return this.since;
	}

	ScriptCall call() {
		return this.call;
	}

	/** Whether nobody waits for it any more. */
	boolean isGivenUp() {
		if (isDone()) {
			failed(new CancellationException());
			return true;
		}
		return false;
	}

	/** Has it decided on by a run of its own. */
	void runBy(ScriptRunner runner) {
		try {
			CompletableFuture<?> unused = runner.runAsync(this.call, this.reader).whenComplete(this::told);
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private void told(T read, @Nullable Throwable failure) {
		if (failure != null) {
			completeExceptionally(failure);
		}
		else {
			complete(read);
		}
	}

	/** Reads its part of a run's reply, of which there is none where it failed. */
	void tell(byte @Nullable [] part) {
		if (part == null) {
			failed(new IllegalStateException("The script failed for this call"));
			return;
		}
		try {
			complete(this.reader.read(part));
		}
		catch (RuntimeException ex) {
			completeExceptionally(ex);
		}
	}

	void probes() {
		this.reader.probes();
	}

	void failed(Throwable failure) {
		completeExceptionally(this.reader.failed(failure));
	}

}
