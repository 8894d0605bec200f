/** The algorithm and the limit that the visitor has chosen, and the limit that applies to her. */
export class Choice {

	#form;

	#policies;

	#list;

	/** The limit of the latest decision: an operator may have set another one for this key. */
	#decided = null;

	constructor(form, policies, changed) {
		this.#form = form;
		this.#policies = policies;
		this.#list = form.querySelector("select");
		policies.offer(this.algorithm, this.#list);
		form.querySelectorAll("[name=algorithm]").forEach((radio) => radio.addEventListener("change", () => {
			policies.offer(this.algorithm, this.#list);
			this.forget();
			changed();
		}));
		this.#list.addEventListener("change", () => {
			this.forget();
			changed();
		});
	}

	get algorithm() {
		return this.#form.elements.algorithm.value;
	}

	get policy() {
		return `live-${this.algorithm}`;
	}

	get plan() {
		return this.#list.value;
	}

	get limit() {
		return this.#decided ?? this.#policies.limit(this.algorithm, this.plan);
	}

	decided({ algorithm, permits, period, burst }) {
		this.#decided = { algorithm, permits, period, burst };
	}

	/** Goes back to the chosen limit until the next decision. */
	forget() {
		this.#decided = null;
	}

}
