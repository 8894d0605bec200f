import { boundOf, identify, ruleOf } from "./limit.js";
import { Tally } from "./tally.js";

/** The figures of a limit: its bound, what it admitted, and the calls of each instance. */
export class Board {

	#tallies = new Map();

	#tally(limit) {
		const key = identify(limit);
		if (!this.#tallies.has(key)) {
			this.#tallies.set(key, new Tally(limit.period));
		}
		return this.#tallies.get(key);
	}

	accept(call, limit, instance) {
		this.#tally(limit).accept(call, instance.name);
	}

	reset(limit) {
		[...this.#tallies.keys()].filter((key) => key.startsWith(`${limit.algorithm} `))
			.forEach((key) => this.#tallies.delete(key));
	}

	show(limit, instances) {
		const { most, granted } = this.#tally(limit);
		const bound = boundOf(limit);
		element("bound-rule").textContent = ruleOf(limit);
		element("bound").max = bound;
		element("bound").value = most;
		element("bound-text").textContent = `Most admitted in any period so far: ${most} of ${bound}${
			(granted > 0) ? `, and ${granted} by a grant` : ""}`;
		this.#showInstances(limit, instances);
	}

	#showInstances(limit, instances) {
		const counts = instances.map((instance) => this.#tally(limit).of(instance.name));
		const rows = instances.map((instance, index) => row(instance.name, counts[index]));
		if (rows.length > 1) {
			rows.push(row("together", { allowed: sum(counts, "allowed"), denied: sum(counts, "denied") }));
		}
		element("instances").replaceChildren(...rows);
	}

}

function row(name, { allowed, denied }) {
	const row = document.createElement("tr");
	const head = row.appendChild(document.createElement("th"));
	head.scope = "row";
	head.textContent = name;
	row.insertCell().textContent = allowed;
	row.insertCell().textContent = denied;
	return row;
}

function sum(counts, name) {
	return counts.reduce((total, each) => total + each[name], 0);
}

function element(id) {
	return document.getElementById(id);
}
