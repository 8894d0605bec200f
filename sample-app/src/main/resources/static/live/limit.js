const UNITS = { ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9, d: 8.64e10 };

/** Reads a limit of /actuator/ratelimits. */
export function readLimit({ rate, algorithm, burst }) {
	const [, permits, amount, unit] = /^(\d+)\/(\d+)([a-z]+)$/.exec(rate);
	return { algorithm, burst, permits: Number(permits), period: Number(amount) * UNITS[unit] };
}

/** Returns a text that is the same for equal limits. */
export function identify(limit) {
	return [limit.algorithm, limit.permits, limit.period, limit.burst].join(" ");
}

/** Returns whether an algorithm has a burst. */
export function isBucket(limit) {
	return limit.algorithm.endsWith("bucket");
}

/** Returns a limit in words. */
export function describe(limit) {
	const burst = isBucket(limit) ? `, burst ${limit.burst}` : "";
	return `${limit.permits} per ${seconds(limit.period)}${burst}`;
}

/** Returns the most calls that any period may admit: see docs/algorithms.md. */
export function boundOf(limit) {
	if (isBucket(limit)) {
		return limit.burst + limit.permits - 1;
	}
	return (limit.algorithm === "sliding-window-log") ? limit.permits : 2 * limit.permits - 1;
}

/** Returns the formula of the bound in words. */
export function ruleOf(limit) {
	const period = `Any ${seconds(limit.period)} admit at most`;
	if (isBucket(limit)) {
		return `${period} burst + N − 1 = ${limit.burst} + ${limit.permits} − 1 = ${boundOf(limit)} calls.`;
	}
	return (limit.algorithm === "sliding-window-log") ? `${period} N = ${limit.permits} calls.`
		: `${period} 2N − 1 = 2 · ${limit.permits} − 1 = ${boundOf(limit)} calls.`;
}

/** Returns a time in seconds, with decimals if it has some. */
export function seconds(micros, decimals = 1) {
	return `${Number((micros / 1e6).toFixed(decimals))} s`;
}
