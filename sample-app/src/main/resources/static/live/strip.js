import { add, addText, set } from "./svg.js";

const SPAN = 20e6;
const LEFT = 8;
const MARGIN = 12;
const HEIGHT = 104;
const SHAPES = {
	ALLOWED: ["circle", { r: 6 }],
	DENIED: ["path", { d: "M-5-5 5 5M5-5-5 5" }],
	GRANTED: ["path", { d: "M0-7 7 0 0 7-7 0Z" }],
	BANNED: ["path", { d: "M-6-6H6V6H-6ZM-6 6 6-6" }]
};

/** The decisions of the last 20 seconds. Each instance has a line of its own. */
export class Strip {

	#marks = [];

	#group;

	#refusals;

	/** In front of refusals, which may be many more. */
	#admissions;

	#lines = [];

	#labels;

	#axis;

	#width = 0;

	/** The time from which marks are placed. The group that has them moves, not each mark. */
	#begin = 0;

	/** The drawing has as many units as pixels, so that marks are as large on a phone as elsewhere. */
	constructor(svg) {
		this.#axis = add(svg, "g");
		this.#group = add(svg, "g");
		this.#refusals = add(this.#group, "g");
		this.#admissions = add(this.#group, "g");
		this.#labels = add(svg, "g");
		new ResizeObserver(() => {
			this.#width = svg.clientWidth;
			set(svg, { viewBox: `0 0 ${this.#width} ${HEIGHT}` });
			this.#drawAxis();
			this.#marks.forEach((mark) => this.#place(mark));
		}).observe(svg);
	}

	#drawAxis() {
		this.#axis.replaceChildren();
		add(this.#axis, "path", { class: "strip-axis", d: `M${this.#x(20e6)} 74H${this.#x(0)}` });
		for (let age = 0; age <= 20; age += 5) {
			const x = this.#x(age * 1e6);
			const anchor = (age === 0) ? "end" : (age === 20) ? "start" : "middle";
			add(this.#axis, "path", { class: "strip-axis", d: `M${x} 70V78` });
			addText(this.#axis, x, 96, "label", anchor).textContent = (age === 0) ? "now" : `−${age} s`;
		}
	}

	#x(age) {
		const right = this.#width - MARGIN;
		return right - (right - LEFT) * age / SPAN;
	}

	#place({ at, line, shape }) {
		set(shape, { transform: `translate(${this.#x(this.#begin - at)} ${this.#y(Math.max(0, line))})` });
	}

	/** Gives each instance its line. */
	showInstances(names) {
		this.#lines = names;
		this.#marks.forEach((mark) => this.#place(mark));
		this.#labels.replaceChildren();
		if (names.length > 1) {
			names.forEach((name, index) => {
				addText(this.#labels, LEFT, this.#y(index) - 10, "label", "start").textContent = name;
			});
		}
	}

	accept(call, instance) {
		const [name, attributes] = SHAPES[call.outcome];
		const isAdmitted = call.outcome === "ALLOWED" || call.outcome === "GRANTED";
		const shape = add(isAdmitted ? this.#admissions : this.#refusals, name, { ...attributes, class: call.outcome.toLowerCase() });
		const mark = { at: call.at, outcome: call.outcome, line: this.#lines.indexOf(instance), shape };
		this.#begin ||= call.at;
		this.#marks.push(mark);
		this.#place(mark);
	}

	clear() {
		this.#marks.splice(0).forEach((mark) => mark.shape.remove());
	}

	render(now) {
		while (this.#marks.length > 0 && now - this.#marks[0].at > SPAN) {
			this.#marks.shift().shape.remove();
		}
		set(this.#group, { transform: `translate(${this.#x(now - this.#begin) - this.#x(0)} 0)` });
	}

	describe() {
		const count = (outcome) => this.#marks.filter((mark) => mark.outcome === outcome).length;
		const more = [["GRANTED", "allowed by a grant"], ["BANNED", "banned"]]
			.filter(([outcome]) => count(outcome) > 0)
			.map(([outcome, text]) => `, ${count(outcome)} ${text}`);
		return `${count("ALLOWED")} allowed, ${count("DENIED")} denied${more.join("")}.`;
	}

	#y(line) {
		return 4 + 62 * (line + 0.6) / Math.max(1, this.#lines.length);
	}

}
