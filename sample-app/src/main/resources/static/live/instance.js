/** An instance of the sample: its stream of decisions, and calls to it. */
export class Instance {

	#visitor;

	#listeners;

	#source = null;

	#opened = null;

	/** Listeners are welcomed(welcome), called(call, instance) and failed(message). */
	constructor(origin, visitor, listeners) {
		this.origin = origin;
		this.name = new URL(origin).host;
		this.#visitor = visitor;
		this.#listeners = listeners;
	}

	/** Opens the stream, unless it is open. */
	open() {
		this.#opened ??= new Promise((resolve, reject) => this.#listen(resolve, reject));
		return this.#opened;
	}

	close() {
		this.#source?.close();
		this.#opened = null;
	}

	/** Calls, once the stream is open: the instance refuses calls without one. */
	async call(algorithm, plan) {
		await this.open();
		const query = new URLSearchParams({ visitor: this.#visitor, ...(plan && { plan }) });
		return fetch(`${this.origin}/live/calls/${algorithm}?${query}`, { method: "POST", credentials: "omit" });
	}

	#listen(resolve, reject) {
		this.#source = new EventSource(`${this.origin}/live/events?visitor=${this.#visitor}`);
		this.#source.addEventListener("welcome", (event) => {
			this.#listeners.welcomed(JSON.parse(event.data));
			resolve();
		});
		this.#source.addEventListener("call", (event) => this.#listeners.called(JSON.parse(event.data), this));
		this.#source.addEventListener("error", () => {
			if (this.#source.readyState === EventSource.CLOSED) {
				this.close();
				reject(new Error(`${this.name} has no room for another viewer now. Try again in a minute.`));
			}
			else {
				this.#listeners.failed(`The connection to ${this.name} is lost. The page tries to open it again.`);
			}
		});
	}

}
