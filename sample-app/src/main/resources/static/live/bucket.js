import { add, addText, set } from "./svg.js";
import { seconds } from "./limit.js";

const LEFT = 230;
const WIDTH = 180;
const TOP = 62;
const HEIGHT = 150;
const BOTTOM = TOP + HEIGHT;
const MOST_LINES = 20;

/**
 * A bucket. That of tokens holds the permits left and refills; the leaky one holds what was spent and drains. Both are
 * the same arithmetic, seen from two sides.
 */
export class Bucket {

	#leaky;

	#state = null;

	#view = null;

	constructor(leaky) {
		this.#leaky = leaky;
	}

	/** The upper edge of what it draws, so that it is in the middle. */
	get top() {
		return this.#leaky ? 20 : -24;
	}

	accept(call) {
		if (this.#state === null || call.at >= this.#state.at) {
			this.#state = { at: call.at, resetAfter: call.state.resetAfter };
		}
	}

	reset() {
		this.#state = null;
	}

	mount(svg) {
		this.#view = {
			water: add(svg, "rect", { class: "water", x: LEFT, width: WIDTH }),
			lines: add(svg, "g", { class: "scale" }),
			drop: add(svg, "path", { class: "drop", d: "M0-9C5-2 6 1 6 4A6 6 0 0 1-6 4C-6 1-5-2 0-9Z" }),
			vessel: add(svg, "path", { class: "vessel", d: `M${LEFT} ${TOP - 14}V${BOTTOM}H${LEFT + WIDTH}V${TOP - 14}` }),
			flow: addText(svg, LEFT + WIDTH / 2, this.#leaky ? 254 : 18, "label"),
			count: addText(svg, LEFT + WIDTH + 36, 134, "figure", "start"),
			unit: addText(svg, LEFT + WIDTH + 36, 160, "label", "start"),
			next: addText(svg, LEFT - 36, 140, "label", "end"),
			burst: null
		};
	}

	#spent(limit, now) {
		if (this.#state === null) {
			return 0;
		}
		const left = Math.max(0, this.#state.resetAfter - Math.max(0, now - this.#state.at));
		return Math.min(limit.burst, left * limit.permits / limit.period);
	}

	render(limit, now) {
		const view = this.#view;
		const spent = this.#spent(limit, now);
		const level = this.#leaky ? spent : limit.burst - spent;
		const height = HEIGHT * level / limit.burst;
		this.#drawLines(limit);
		set(view.water, { y: BOTTOM - height, height });
		view.count.textContent = String(Math.floor(limit.burst - spent + 1e-6));
		view.unit.textContent = `of ${limit.burst} left`;
		view.next.textContent = (spent > 0) ? `next in ${seconds(this.#untilNext(limit, spent))}` : "full burst";
		view.flow.textContent = `${this.#leaky ? "leaks one call" : "one permit flows in"} every ${
			seconds(limit.period / limit.permits, 2)}`;
		this.#drawDrop(limit, spent, BOTTOM - height);
	}

	#untilNext(limit, spent) {
		return (spent - Math.ceil(spent) + 1) * limit.period / limit.permits;
	}

	/** Moves a drop on its way while the next permit grows. */
	#drawDrop(limit, spent, surface) {
		const done = (spent > 0) ? 1 - this.#untilNext(limit, spent) * limit.permits / limit.period : 0;
		const from = this.#leaky ? BOTTOM + 8 : 30;
		const to = this.#leaky ? BOTTOM + 28 : Math.max(31, surface - 4);
		set(this.#view.drop, { transform: `translate(${LEFT + WIDTH / 2} ${from + (to - from) * done})`,
			visibility: (spent > 0) ? "visible" : "hidden" });
	}

	#drawLines(limit) {
		if (this.#view.burst === limit.burst) {
			return;
		}
		this.#view.burst = limit.burst;
		this.#view.lines.replaceChildren();
		const step = Math.ceil(limit.burst / MOST_LINES);
		for (let permit = step; permit < limit.burst; permit += step) {
			const y = BOTTOM - HEIGHT * permit / limit.burst;
			add(this.#view.lines, "path", { d: `M${LEFT} ${y}h14M${LEFT + WIDTH} ${y}h-14` });
		}
	}

	describe(limit, now) {
		const spent = this.#spent(limit, now);
		const left = Math.floor(limit.burst - spent + 1e-6);
		return `${left} of ${limit.burst} permits left. ${(spent > 0)
			? `The next one returns in ${seconds(this.#untilNext(limit, spent))}, all in ${
				seconds(spent * limit.period / limit.permits)}.` : "Nothing is spent."}`;
	}

}
