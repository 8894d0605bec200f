const PAUSE = 3000;

/** Announces what happened to screen readers, at a pace at which they can read it out. */
export class Announcer {

	#element;

	#describe;

	#timer = null;

	constructor(element, describe) {
		this.#element = element;
		this.#describe = describe;
	}

	/** Announces the latest state soon. */
	request() {
		this.#timer ??= setTimeout(() => {
			this.#timer = null;
			this.#element.textContent = this.#describe();
		}, PAUSE);
	}

}
