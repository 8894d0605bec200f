/** The calls that one limit decided: by instance, and the most that it admitted in any period. */
export class Tally {

	#period;

	#admitted = [];

	#byInstance = new Map();

	#most = 0;

	#granted = 0;

	constructor(period) {
		this.#period = period;
	}

	accept(call, instance) {
		const counts = this.of(instance);
		this.#byInstance.set(instance, counts);
		if (call.outcome === "ALLOWED" || call.outcome === "GRANTED") {
			counts.allowed++;
		}
		else {
			counts.denied++;
		}
		if (call.outcome === "ALLOWED") {
			this.#admit(call.at);
		}
		this.#granted += (call.outcome === "GRANTED") ? 1 : 0;
	}

	of(instance) {
		return this.#byInstance.get(instance) ?? { allowed: 0, denied: 0 };
	}

	get most() {
		return this.#most;
	}

	get granted() {
		return this.#granted;
	}

	/** Two instances' calls may arrive out of order. A period includes its begin and excludes its end. */
	#admit(at) {
		this.#admitted.push(at);
		this.#admitted.sort((one, other) => one - other);
		const newest = this.#admitted[this.#admitted.length - 1];
		this.#admitted = this.#admitted.filter((each) => each > newest - 2 * this.#period);
		let first = 0;
		this.#admitted.forEach((each, index) => {
			while (this.#admitted[first] <= each - this.#period) {
				first++;
			}
			this.#most = Math.max(this.#most, index - first + 1);
		});
	}

}
