import { add, addText, set } from "./svg.js";

const LEFT = 60;
const WIDTH = 260;
const MIDDLE = LEFT + WIDTH;
const BASE = 200;
const HEIGHT = 140;

/** Two windows: the current one counts in full, the one before by the share that the last period still covers. */
export class SlidingWindowCounter {

	#spent = new Map();

	#view = null;

	/** The upper edge of what it draws, so that it is in the middle. */
	get top() {
		return 0;
	}

	accept(call) {
		if (call.outcome === "ALLOWED") {
			const index = Math.floor(call.at / call.state.period);
			this.#spent.set(index, (this.#spent.get(index) ?? 0) + 1);
			[...this.#spent.keys()].filter((each) => each < index - 2).forEach((each) => this.#spent.delete(each));
		}
	}

	reset() {
		this.#spent.clear();
	}

	mount(svg) {
		this.#view = {
			period: add(svg, "rect", { class: "period", y: BASE - HEIGHT - 14, width: WIDTH, height: HEIGHT + 14, rx: 4 }),
			uncovered: add(svg, "rect", { class: "water faded", x: LEFT }),
			before: add(svg, "rect", { class: "water" }),
			current: add(svg, "rect", { class: "water", x: MIDDLE }),
			frame: add(svg, "path", { class: "vessel thin",
				d: `M${LEFT} ${BASE - HEIGHT}V${BASE}H${MIDDLE + WIDTH}V${BASE - HEIGHT}M${MIDDLE} ${BASE - HEIGHT}V${BASE}` }),
			now: add(svg, "path", { class: "now", d: `M0 ${BASE - HEIGHT - 20}V${BASE + 6}` }),
			formula: addText(svg, 320, 28, "formula"),
			earlier: addText(svg, LEFT + WIDTH / 2, BASE + 24, "label"),
			later: addText(svg, MIDDLE + WIDTH / 2, BASE + 24, "label"),
			hint: addText(svg, 320, BASE + 50, "label")
		};
	}

	#count(limit, now) {
		const index = Math.floor(now / limit.period);
		const passed = now / limit.period - index;
		const before = this.#spent.get(index - 1) ?? 0;
		const current = this.#spent.get(index) ?? 0;
		return { passed, before, current, counted: before * (1 - passed) + current };
	}

	render(limit, now) {
		const view = this.#view;
		const count = this.#count(limit, now);
		const split = LEFT + WIDTH * count.passed;
		set(view.period, { x: split });
		bar(view.uncovered, LEFT, split - LEFT, count.before, limit);
		bar(view.before, split, MIDDLE - split, count.before, limit);
		bar(view.current, MIDDLE, WIDTH * count.passed, count.current, limit);
		set(view.now, { transform: `translate(${MIDDLE + WIDTH * count.passed} 0)` });
		view.formula.textContent = formula(count, limit);
		view.earlier.textContent = `window before: ${count.before}`;
		view.later.textContent = `this window: ${count.current}`;
		view.hint.textContent = "framed: the last period, up to now";
	}

	describe(limit, now) {
		return `Counted: ${formula(this.#count(limit, now), limit)} permits. A call fits while the sum, with it, is at most ${
			limit.permits}.`;
	}

}

function formula({ passed, before, current, counted }, limit) {
	return `${before} · ${Math.round(100 * (1 - passed))} % + ${current} = ${counted.toFixed(1)} of ${limit.permits}`;
}

function bar(rect, x, width, spent, limit) {
	const height = HEIGHT * Math.min(1, spent / limit.permits);
	set(rect, { x, width: Math.max(0, width), y: BASE - height, height });
}
