import { animate } from "./animation.js";
import { Announcer } from "./announcer.js";
import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { Clock } from "./clock.js";
import { Drawing } from "./drawing.js";
import { Instance } from "./instance.js";
import { Operator } from "./operator.js";
import { Pace } from "./pace.js";
import { Policies } from "./policies.js";
import { showResponse } from "./response.js";
import { Strip } from "./strip.js";
import { newVisitor } from "./visitor.js";

const MOST_IN_FLIGHT = 8;

const element = (id) => document.getElementById(id);

const show = (id, text) => {
	if (element(id).textContent !== text) {
		element(id).textContent = text;
	}
};

/** The page: sends calls to its instances and hands the decisions to its views. */
class Page {

	#clock = new Clock();

	#board = new Board();

	#drawing = new Drawing(element("drawing"));

	#strip = new Strip(element("strip"));

	#announcer = new Announcer(element("summary"), () => this.#describe());

	#visitor = newVisitor();

	#instances = [];

	#key = "";

	#next = 0;

	#inFlight = 0;

	#choice;

	constructor(policies) {
		this.#choice = new Choice(element("controls"), policies, () => this.#chosen());
		this.#instances.push(this.#instance(location.origin));
		this.#listen();
		this.#showInstances();
		this.#instances[0].open().catch((error) => this.#fail(error.message));
		animate(() => this.#draw());
	}

	#instance(origin) {
		return new Instance(origin, this.#visitor, {
			welcomed: (welcome) => this.#welcomed(welcome),
			called: (call, instance) => this.#called(call, instance),
			failed: (message) => this.#fail(message)
		});
	}

	#listen() {
		const pace = new Pace(() => this.#call());
		element("controls").addEventListener("submit", (event) => event.preventDefault());
		element("call").addEventListener("click", () => this.#call());
		element("calls").addEventListener("click", () => Array.from({ length: 5 }, () => this.#call()));
		element("rate").addEventListener("input", ({ target }) => {
			element("rate-value").textContent = target.value;
			pace.set(Number(target.value));
		});
		element("alternate").addEventListener("change", () => this.#showInstances());
		new Operator(element("operator"), () => ({ policy: this.#choice.policy, key: this.#key }),
			(kind) => this.#controlled(kind));
	}

	#welcomed({ key, instances }) {
		this.#fail("");
		this.#key = key;
		if (this.#instances.length === 1) {
			instances.filter((origin) => origin !== location.origin)
				.forEach((origin) => this.#instances.push(this.#instance(origin)));
			element("sharing").hidden = this.#instances.length === 1;
		}
	}

	/** Returns the instances that take part. */
	#active() {
		return element("alternate").checked ? this.#instances : this.#instances.slice(0, 1);
	}

	#showInstances() {
		this.#instances.filter((instance) => !this.#active().includes(instance)).forEach((instance) => instance.close());
		this.#active().forEach((instance) => instance.open().catch((error) => this.#fail(error.message)));
		this.#strip.showInstances(this.#active().map((instance) => instance.name));
		this.#showBoard();
	}

	async #call() {
		if (this.#inFlight >= MOST_IN_FLIGHT) {
			return;
		}
		this.#inFlight++;
		const instance = this.#active()[this.#next++ % this.#active().length];
		try {
			showResponse(await instance.call(this.#choice.algorithm, this.#choice.plan));
		}
		catch (error) {
			this.#fail((error instanceof TypeError) ? `${instance.name} does not answer.` : error.message);
		}
		finally {
			this.#inFlight--;
		}
	}

	#called(call, instance) {
		if (call.policy !== this.#choice.policy) {
			return;
		}
		if (call.state !== null) {
			this.#clock.adjust(call.at);
		}
		if (call.state !== null && call.outcome !== "GRANTED") {
			this.#choice.decided(call.state);
			this.#drawing.accept(call);
		}
		this.#board.accept(call, this.#choice.limit, instance);
		this.#strip.accept(call, instance.name);
		this.#showBoard();
		this.#draw();
		this.#announcer.request();
	}

	#controlled(kind) {
		if (kind === "reset") {
			this.#drawing.reset(this.#choice.limit);
			this.#board.reset(this.#choice.limit);
		}
		this.#choice.forget();
		this.#showBoard();
		this.#draw();
	}

	#chosen() {
		this.#strip.clear();
		this.#showBoard();
		this.#draw();
	}

	#showBoard() {
		this.#board.show(this.#choice.limit, this.#active());
	}

	/** Draws and describes one moment, so that no picture contradicts the sentence below it. */
	#draw() {
		const now = this.#clock.now();
		this.#drawing.render(this.#choice.limit, now);
		this.#strip.render(now);
		show("drawing-text", this.#drawing.describe(this.#choice.limit, now));
		show("strip-text", this.#strip.describe());
	}

	#describe() {
		return `Last 20 seconds: ${this.#strip.describe()} ${
			this.#drawing.describe(this.#choice.limit, this.#clock.now())}`;
	}

	#fail(message) {
		element("problem").textContent = message;
	}

}

Policies.load().then((policies) => new Page(policies))
	.catch(() => element("problem").textContent = "The policies could not be read. Reload the page.");
