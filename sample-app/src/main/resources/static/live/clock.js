/**
 * The store's clock in microseconds, as far as decisions show it. A decision arrives after it was made, so the
 * largest difference to this browser's clock is the best.
 */
export class Clock {

	#ahead = -Infinity;

	adjust(at) {
		this.#ahead = Math.max(this.#ahead, at - this.#local());
	}

	now() {
		return this.#local() + (Number.isFinite(this.#ahead) ? this.#ahead : 0);
	}

	#local() {
		return (performance.timeOrigin + performance.now()) * 1000;
	}

}
