const STILL = matchMedia("(prefers-reduced-motion: reduce)");

const EVERY = 500;

/** Draws with each frame or, for those who prefer less motion, twice a second. */
export function animate(draw) {
	let drawn = -EVERY;
	const frame = (time) => {
		if (!STILL.matches || time - drawn >= EVERY) {
			drawn = time;
			draw();
		}
		requestAnimationFrame(frame);
	};
	requestAnimationFrame(frame);
}
