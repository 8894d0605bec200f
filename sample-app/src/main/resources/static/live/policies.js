import { describe, readLimit } from "./limit.js";

/** The policies of the live page: for each algorithm the limits that a visitor may choose. */
export class Policies {

	#byName;

	constructor(policies) {
		this.#byName = policies;
	}

	static async load() {
		const response = await fetch("actuator/ratelimits", { credentials: "omit" });
		return new Policies((await response.json()).policies);
	}

	/** Returns a limit: the policy's own or that of a plan. */
	limit(algorithm, plan) {
		const policy = this.#byName[`live-${algorithm}`];
		return readLimit((plan ? policy.plans[plan] : policy).limits[0]);
	}

	/** Offers the limits of an algorithm in a list. */
	offer(algorithm, list) {
		const plans = ["", ...Object.keys(this.#byName[`live-${algorithm}`].plans).sort()];
		list.replaceChildren(...plans.map((plan) => new Option(describe(this.limit(algorithm, plan)), plan)));
	}

}
