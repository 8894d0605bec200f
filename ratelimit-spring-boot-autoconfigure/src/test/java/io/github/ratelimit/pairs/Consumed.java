package io.github.ratelimit.pairs;

/**
 * The consumption of a key.
 *
 * @param permits the permits of admitted calls, as adjusted
 * @param calls the admitted calls
 */
record Consumed(long permits, long calls) {

	Consumed plus(Consumed other) {
		return new Consumed(this.permits + other.permits, this.calls + other.calls);
	}

}
