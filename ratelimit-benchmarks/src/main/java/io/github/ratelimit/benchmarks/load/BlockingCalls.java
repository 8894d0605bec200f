package io.github.ratelimit.benchmarks.load;

/**
 * Calls of one thread, which waits for each.
 *
 * @param contender what is called
 * @param caller who calls
 * @param phase until when
 * @param allows whether calls are to be admitted
 * @param atEnd told after the last call
 */
record BlockingCalls(Contender contender, Caller caller, Phase phase, boolean allows,
		Runnable atEnd) implements Runnable {

	@Override
	public void run() {
		try {
			this.caller.begins();
			while (!this.phase.hasEnded()) {
				this.caller.ended(this.contender.acquire(this.caller.nextKey()) == this.allows);
			}
		}
		catch (Exception ex) {
			this.phase.fail(ex);
		}
		finally {
			this.atEnd.run();
		}
	}

}
