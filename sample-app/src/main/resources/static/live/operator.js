const ENDPOINT = "actuator/ratelimitcontrols";

const MESSAGES = {
	reset: "The count is reset.",
	grant: "Granted: 10 calls beyond the limit, for ten minutes.",
	ban: "Banned for a minute.",
	limits: "Your key has a limit of its own for ten minutes.",
	lift: "No control applies to your key any more."
};

/** Sends controls of one key to the endpoint of the rate limiter, with the password that was typed. */
export class Operator {

	#form;

	#result;

	#subject;

	#done;

	/** The subject returns a policy and a key; done is notified of the control that took effect. */
	constructor(form, subject, done) {
		this.#form = form;
		this.#result = form.querySelector("[role=status]");
		this.#subject = subject;
		this.#done = done;
		form.addEventListener("submit", (event) => event.preventDefault());
		form.querySelectorAll("[data-control]").forEach((button) => {
			button.addEventListener("click", () => this.#control(button.dataset.control));
		});
	}

	async #control(kind) {
		this.#show("");
		try {
			const subject = this.#subject();
			await ((kind === "lift") ? this.#lift(subject) : this.#set(kind, subject));
			this.#show(MESSAGES[kind]);
			this.#done(kind);
		}
		catch (error) {
			this.#show(error.message, true);
		}
	}

	#set(kind, subject) {
		const fields = {
			reset: {},
			grant: { permits: 10, duration: "10m" },
			ban: { duration: "1m" },
			limits: { limits: this.#form.querySelector("#own-limit").value, duration: "10m" }
		};
		return this.#send("POST", `/${kind}`, { ...subject, ...fields[kind] });
	}

	async #lift(subject) {
		const { controls } = await (await this.#send("GET", "")).json();
		const own = controls.filter((control) => control.policy === subject.policy && control.subject === subject.key);
		await Promise.all(own.map((control) => this.#send("DELETE", `/${control.id}`)));
	}

	/** Leaves out cookies and the browser's own dialog for passwords. */
	async #send(method, path, body) {
		const headers = { Authorization: `Basic ${this.#credentials()}` };
		if (body) {
			headers["Content-Type"] = "application/json";
		}
		const response = await fetch(ENDPOINT + path, { method, headers, credentials: "omit",
			body: body && JSON.stringify(body) });
		if (!response.ok) {
			throw new Error(await reason(response));
		}
		return response;
	}

	#credentials() {
		const text = `${this.#form.querySelector("#user").value}:${this.#form.querySelector("#password").value}`;
		return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
	}

	#show(text, failed = false) {
		this.#result.textContent = text;
		this.#result.classList.toggle("failed", failed);
	}

}

async function reason(response) {
	if (response.status === 401 || response.status === 403) {
		return "Wrong user name or password. Nothing was changed.";
	}
	const problem = await response.json().catch(() => ({}));
	return `Nothing was changed: ${problem.detail ?? `status ${response.status}`}.`;
}
