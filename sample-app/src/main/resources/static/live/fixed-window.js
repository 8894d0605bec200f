import { add, addText, set } from "./svg.js";
import { seconds } from "./limit.js";

const LEFT = 60;
const WIDTH = 520;
const GAP = 6;

/** A fixed window: a cell for each permit, and the time until all of them return. */
export class FixedWindow {

	#state = null;

	#view = null;

	/** The upper edge of what it draws, so that it is in the middle. */
	get top() {
		return -16;
	}

	accept(call) {
		if (this.#state === null || call.at >= this.#state.at) {
			const spent = call.state.permits - call.state.remaining;
			this.#state = { at: call.at, spent, end: call.at + call.state.resetAfter };
		}
	}

	reset() {
		this.#state = null;
	}

	mount(svg) {
		this.#view = {
			cells: add(svg, "g"),
			count: addText(svg, LEFT, 44, "figure", "start"),
			unit: addText(svg, LEFT + 80, 44, "label", "start"),
			track: add(svg, "rect", { class: "track", x: LEFT, y: 180, width: WIDTH, height: 12, rx: 6 }),
			passed: add(svg, "rect", { class: "passed", x: LEFT, y: 180, height: 12, rx: 6 }),
			now: add(svg, "path", { class: "now", d: "M0 170V202" }),
			begin: addText(svg, LEFT, 226, "label", "start"),
			end: addText(svg, LEFT + WIDTH, 226, "label", "end"),
			permits: null
		};
	}

	#current(now) {
		return (this.#state !== null && now < this.#state.end && this.#state.spent > 0) ? this.#state : null;
	}

	render(limit, now) {
		const view = this.#view;
		const current = this.#current(now);
		const spent = current?.spent ?? 0;
		const passed = current ? Math.min(1, Math.max(0, 1 - (current.end - now) / limit.period)) : 0;
		this.#drawCells(limit);
		[...view.cells.children].forEach((cell, index) => set(cell, { class: (index < spent) ? "cell spent" : "cell" }));
		view.count.textContent = String(limit.permits - spent);
		view.unit.textContent = `of ${limit.permits} permits left`;
		set(view.passed, { width: WIDTH * passed });
		set(view.now, { transform: `translate(${LEFT + WIDTH * passed} 0)` });
		view.begin.textContent = current ? "first call" : "No window: the next call begins one.";
		view.end.textContent = current ? `ends in ${seconds(current.end - now)}` : "";
	}

	#drawCells(limit) {
		if (this.#view.permits === limit.permits) {
			return;
		}
		this.#view.permits = limit.permits;
		this.#view.cells.replaceChildren();
		const step = (WIDTH + GAP) / limit.permits;
		const gap = Math.min(GAP, step / 4);
		for (let permit = 0; permit < limit.permits; permit++) {
			add(this.#view.cells, "rect", { class: "cell", x: LEFT + permit * step, y: 72, width: step - gap, height: 72,
				rx: Math.min(6, step / 5) });
		}
	}

	describe(limit, now) {
		const current = this.#current(now);
		return current ? `${limit.permits - current.spent} of ${limit.permits} permits left. The window ends in ${
			seconds(current.end - now)}; then all of them return.`
			: `${limit.permits} of ${limit.permits} permits left. The next call begins a window of ${
				seconds(limit.period)}.`;
	}

}
