package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A sleeper that lets no time pass and records all requested times.
 */
final class RecordingSleeper implements QueuedTurns.Sleeper {

	final List<Long> slept = new ArrayList<>();

	final List<CompletableFuture<Void>> delayed = new ArrayList<>();

	boolean interrupts;

	/** The action of a thread while it sleeps. */
	Runnable meanwhile = () -> {
	};

	@Override
	public void sleep(long micros) throws InterruptedException {
		if (this.interrupts) {
			throw new InterruptedException();
		}
		this.slept.add(micros);
		this.meanwhile.run();
	}

	@Override
	public void complete(CompletableFuture<Void> pause, long micros) {
		this.delayed.add(pause);
	}

}
