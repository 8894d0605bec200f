const REASONS = { 204: "No Content: allowed", 429: "Too Many Requests: denied", 403: "Forbidden: banned" };

const FIELDS = ["RateLimit", "RateLimit-Policy", "Retry-After"];

/** Shows the status and the headers of a response. */
export function showResponse(response) {
	document.getElementById("status").textContent = `${response.status} ${REASONS[response.status] ?? ""}`.trim();
	for (const field of FIELDS) {
		document.getElementById(field.toLowerCase()).textContent = response.headers.get(field) ?? "–";
	}
}
