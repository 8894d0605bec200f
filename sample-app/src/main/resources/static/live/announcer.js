const PAUSE = 3000;

/** Tells screen readers what happened, not more often than they can read it out. */
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
