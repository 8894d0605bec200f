/** Repeats an action at a rate. */
export class Pace {

	#action;

	#timer = null;

	constructor(action) {
		this.#action = action;
	}

	/** Sets the rate: times per second, 0 to stop. */
	set(rate) {
		clearInterval(this.#timer);
		this.#timer = (rate > 0) ? setInterval(this.#action, 1000 / rate) : null;
	}

}
