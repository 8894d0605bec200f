import { add, addText, set } from "./svg.js";
import { seconds } from "./limit.js";

const LEFT = 60;
const WIDTH = 520;
const RIGHT = LEFT + WIDTH;

/** A log: a mark for each charge, which leaves exactly one period after it was made. */
export class SlidingWindowLog {

	#charges = [];

	#view = null;

	/** The upper edge of what it draws, so that it is in the middle. */
	get top() {
		return -26;
	}

	accept(call) {
		if (call.outcome === "ALLOWED") {
			this.#charges.push(call.at);
			this.#charges.sort((one, other) => one - other);
			this.#charges = this.#charges.filter((at) => at > call.at - 2 * call.state.period);
		}
	}

	reset() {
		this.#charges = [];
	}

	mount(svg) {
		this.#view = {
			count: addText(svg, LEFT, 44, "figure", "start"),
			unit: addText(svg, LEFT + 80, 44, "label", "start"),
			period: add(svg, "rect", { class: "period", x: LEFT, y: 76, width: WIDTH, height: 96, rx: 4 }),
			axis: add(svg, "path", { class: "vessel thin", d: `M10 150H${RIGHT}` }),
			marks: add(svg, "g"),
			now: add(svg, "path", { class: "now", d: `M${RIGHT} 68V180` }),
			begin: addText(svg, LEFT, 204, "label", "start"),
			end: addText(svg, RIGHT, 204, "label", "end")
		};
	}

	#counted(limit, now) {
		return this.#charges.filter((at) => at > now - limit.period);
	}

	#left(limit, now) {
		return Math.max(0, limit.permits - this.#counted(limit, now).length);
	}

	render(limit, now) {
		const view = this.#view;
		const shown = this.#charges.filter((at) => at > now - limit.period * (1 + LEFT / WIDTH));
		view.count.textContent = String(this.#left(limit, now));
		view.unit.textContent = `of ${limit.permits} permits left`;
		view.begin.textContent = `${seconds(limit.period)} ago`;
		view.end.textContent = "now";
		while (view.marks.children.length < shown.length) {
			add(view.marks, "path", { d: "M0 150V108M0 96a8 8 0 1 0 .1 0" });
		}
		while (view.marks.children.length > shown.length) {
			view.marks.lastChild.remove();
		}
		shown.forEach((at, index) => {
			const age = now - at;
			set(view.marks.children[index], { class: (age < limit.period) ? "charge" : "charge gone",
				transform: `translate(${RIGHT - WIDTH * Math.max(0, age) / limit.period} 0)` });
		});
	}

	describe(limit, now) {
		const counted = this.#counted(limit, now);
		return `${this.#left(limit, now)} of ${limit.permits} permits left. ${(counted.length > 0)
			? `The oldest charge leaves the log in ${seconds(limit.period - (now - counted[0]))}.` : "The log is empty."}`;
	}

}
