package io.github.ratelimit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Lets no time pass, and tells how much was asked for.
 */
final class RecordedPause implements Pause {

	final List<Long> slept = new ArrayList<>();

	final List<CompletableFuture<Void>> delayed = new ArrayList<>();

	boolean interrupts;

	@Override
	public void sleep(long micros) throws InterruptedException {
		if (this.interrupts) {
			throw new InterruptedException();
		}
		this.slept.add(micros);
	}

	@Override
	public CompletionStage<Void> delay(long micros) {
		if (micros == 0) {
			return CompletableFuture.completedFuture(null);
		}
		this.delayed.add(new CompletableFuture<>());
		return this.delayed.get(this.delayed.size() - 1);
	}

}
