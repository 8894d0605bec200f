(() => {
	const root = document.documentElement;

	for (const block of document.querySelectorAll("pre > code[class*=language-]")) {
		if (hljs.getLanguage(block.className.replace("language-", ""))) {
			hljs.highlightElement(block);
		}
	}

	// Long tables and code scroll, and must be reachable by keyboard for that.
	for (const wide of document.querySelectorAll("article pre, article table")) {
		if (wide.scrollWidth > wide.clientWidth) {
			wide.tabIndex = 0;
		}
	}

	// On a phone, the rows of a table with long texts become blocks; see the style sheet.
	for (const table of document.querySelectorAll("article table")) {
		const titles = [...table.querySelectorAll("th")].map((title) => title.textContent);
		const cells = [...table.querySelectorAll("td")];
		if (titles.length > 2 && cells.some((cell) => cell.textContent.length > 40)) {
			table.classList.add("texts");
			cells.forEach((cell) => cell.dataset.title = titles[cell.cellIndex]);
		}
	}

	for (const pre of document.querySelectorAll("article pre")) {
		const frame = document.createElement("div");
		frame.className = "code";
		pre.replaceWith(frame);
		const copy = document.createElement("button");
		copy.type = "button";
		copy.textContent = "Copy";
		copy.addEventListener("click", async () => {
			await navigator.clipboard.writeText(pre.innerText);
			copy.textContent = "Copied";
			setTimeout(() => copy.textContent = "Copy", 1500);
		});
		frame.append(pre, ...(navigator.clipboard ? [copy] : []));
	}

	for (const heading of document.querySelectorAll("article :is(h2, h3, h4)[id]")) {
		const link = document.createElement("a");
		link.className = "anchor";
		link.href = "#" + heading.id;
		link.ariaLabel = "Link to " + heading.textContent;
		link.textContent = "#";
		heading.append(link);
	}

	const menu = document.querySelector("button.menu");
	menu.addEventListener("click", () => {
		menu.ariaExpanded = String(root.classList.toggle("menu-open"));
	});

	const current = document.querySelector(".pages [aria-current]");
	if (current) {
		const pages = document.querySelector(".pages");
		pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
	}

	// Marks the section that is being read.
	const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
	const headings = [...links.keys()].map((id) => document.getElementById(decodeURIComponent(id))).filter(Boolean);
	function mark() {
		const read = headings.filter((heading) => heading.getBoundingClientRect().top < 120).at(-1) ?? headings[0];
		links.forEach((link, id) => link.classList.toggle("read", read && decodeURIComponent(id) === read.id));
	}
	if (headings.length > 0) {
		addEventListener("scroll", mark, { passive: true });
		mark();
	}
})();
