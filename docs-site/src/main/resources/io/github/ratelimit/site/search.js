// Finds sections that have every word of a query, at the beginning of a word.
(() => {
	const MOST = 12;
	const AROUND = 60;
	const LONG = 1500;
	const input = document.getElementById("site-search");
	const list = document.getElementById("site-results");
	const root = document.documentElement.dataset.root;
	const sections = window.searchIndex.map((section) => ({
		...section,
		inPage: plain(section.page),
		inTitle: plain(section.title),
		inText: plain(section.text)
	}));
	let selected = -1;

	function plain(text) {
		return text.toLowerCase().replaceAll("-", " ");
	}

	function words(query) {
		return plain(query).split(/\s+/).filter(Boolean);
	}

	function pattern(word) {
		return new RegExp("(^|[^\\p{L}\\p{N}])" + word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gu");
	}

	// A heading counts more than words that stand together, those more than a page's title, and that more than text.
	// Long sections, such as those of the changelog, have every word sooner or later.
	function score(section, patterns, phrase) {
		const weight = Math.min(1, LONG / section.inText.length);
		let sum = section.inText.includes(phrase) ? 10 * weight : 0;
		for (const one of patterns) {
			const text = Math.min(5, [...section.inText.matchAll(one)].length) * weight;
			const here = (section.inTitle.match(one) ? 20 : 0) + (section.inPage.match(one) ? 8 : 0) + text;
			if (here === 0) {
				return 0;
			}
			sum += here;
		}
		return sum;
	}

	function find(query) {
		const patterns = words(query).map(pattern);
		if (patterns.length === 0) {
			return [];
		}
		const phrase = words(query).join(" ");
		return sections.map((section) => ({ section, score: score(section, patterns, phrase) }))
			.filter((found) => found.score > 0)
			.sort((one, other) => other.score - one.score)
			.slice(0, MOST)
			.map((found) => found.section);
	}

	function excerpt(section, query) {
		const phrase = section.inText.indexOf(words(query).join(" "));
		const first = words(query).map((word) => section.inText.search(pattern(word))).filter((at) => at >= 0);
		const at = phrase >= 0 ? phrase : first.length > 0 ? Math.min(...first) : 0;
		const from = Math.max(0, section.text.lastIndexOf(" ", Math.max(0, at - AROUND)));
		const text = section.text.slice(from, at + 2 * AROUND);
		return (from > 0 ? "…" : "") + text.trim() + (at + 2 * AROUND < section.text.length ? "…" : "");
	}

	function marked(element, text, query) {
		const any = words(query).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
		text.split(new RegExp("(" + any + ")", "giu")).forEach((part, index) => {
			const node = index % 2 ? document.createElement("mark") : document.createElement("span");
			node.textContent = part;
			element.append(node);
		});
		return element;
	}

	function part(name, text, query) {
		const element = document.createElement("span");
		element.className = name;
		return marked(element, text, query);
	}

	function entry(section, index, query) {
		const item = document.createElement("li");
		item.id = "site-result-" + index;
		item.role = "option";
		const link = document.createElement("a");
		link.href = root + section.url;
		link.tabIndex = -1;
		link.append(part("found", section.title, query));
		if (section.title !== section.page) {
			link.append(part("where", section.page, query));
		}
		link.append(part("excerpt", excerpt(section, query), query));
		link.addEventListener("click", close);
		item.append(link);
		return item;
	}

	function show() {
		const found = find(input.value);
		const none = document.createElement("li");
		none.className = "none";
		none.textContent = "Nothing found";
		list.replaceChildren(...(found.length > 0 ? found.map((one, index) => entry(one, index, input.value)) : [none]));
		list.hidden = words(input.value).length === 0;
		input.ariaExpanded = String(!list.hidden);
		select(found.length > 0 ? 0 : -1);
	}

	function close() {
		list.hidden = true;
		input.ariaExpanded = "false";
	}

	function select(index) {
		selected = index;
		[...list.children].forEach((item, at) => {
			item.ariaSelected = String(at === index);
			if (at === index) {
				item.scrollIntoView({ block: "nearest" });
			}
		});
		input.setAttribute("aria-activedescendant", index >= 0 ? "site-result-" + index : "");
	}

	function move(step) {
		const count = list.querySelectorAll("a").length;
		if (count > 0) {
			select((selected + step + count) % count);
		}
	}

	const keys = {
		ArrowDown: () => move(1),
		ArrowUp: () => move(-1),
		Enter: () => list.querySelectorAll("a")[selected]?.click(),
		Escape: close
	};

	input.addEventListener("input", show);
	input.addEventListener("focus", show);
	input.addEventListener("keydown", (event) => {
		if (keys[event.key]) {
			event.preventDefault();
			keys[event.key]();
		}
	});
	document.addEventListener("click", (event) => {
		if (!event.target.closest(".search")) {
			close();
		}
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && !event.target.closest("input, textarea")) {
			event.preventDefault();
			input.focus();
		}
	});
})();
