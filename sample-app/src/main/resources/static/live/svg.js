const NAMESPACE = "http://www.w3.org/2000/svg";

/** Sets attributes of an element. */
export function set(element, attributes) {
	for (const [name, value] of Object.entries(attributes)) {
		element.setAttribute(name, value);
	}
	return element;
}

/** Appends a new SVG element to a parent. */
export function add(parent, name, attributes = {}) {
	const element = set(document.createElementNS(NAMESPACE, name), attributes);
	parent.append(element);
	return element;
}

/** Appends text to a parent. */
export function addText(parent, x, y, kind = "", anchor = "middle") {
	return add(parent, "text", { x, y, class: kind, "text-anchor": anchor });
}
