import { Bucket } from "./bucket.js";
import { FixedWindow } from "./fixed-window.js";
import { SlidingWindowCounter } from "./sliding-window-counter.js";
import { SlidingWindowLog } from "./sliding-window-log.js";
import { set } from "./svg.js";

const TITLES = {
	"token-bucket": "Token bucket",
	"leaky-bucket": "Leaky bucket",
	"fixed-window": "Fixed window",
	"sliding-window-counter": "Sliding window counter",
	"sliding-window-log": "Sliding window log"
};

/** The drawing of the current limit. Limits of one period have one count, so they have one drawing. */
export class Drawing {

	#svg;

	#byCount = new Map();

	#mounted = null;

	constructor(svg) {
		this.#svg = svg;
	}

	#of(limit) {
		const key = `${limit.algorithm} ${limit.period}`;
		if (!this.#byCount.has(key)) {
			this.#byCount.set(key, create(limit.algorithm));
		}
		return this.#byCount.get(key);
	}

	accept(call) {
		this.#of(call.state).accept(call);
	}

	reset(limit) {
		[...this.#byCount.keys()].filter((key) => key.startsWith(`${limit.algorithm} `))
			.forEach((key) => this.#byCount.get(key).reset());
	}

	render(limit, now) {
		const current = this.#of(limit);
		if (current !== this.#mounted) {
			this.#mounted = current;
			this.#svg.replaceChildren();
			set(this.#svg, { viewBox: `0 ${current.top} 640 264` });
			this.#svg.dataset.algorithm = limit.algorithm;
			document.getElementById("drawing-title").textContent = TITLES[limit.algorithm];
			current.mount(this.#svg);
		}
		current.render(limit, now);
	}

	describe(limit, now) {
		return this.#of(limit).describe(limit, now);
	}

}

function create(algorithm) {
	switch (algorithm) {
		case "fixed-window": return new FixedWindow();
		case "sliding-window-counter": return new SlidingWindowCounter();
		case "sliding-window-log": return new SlidingWindowLog();
		default: return new Bucket(algorithm === "leaky-bucket");
	}
}
