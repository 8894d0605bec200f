// Runs before the page is drawn, so that it does not flash in the wrong colours.
(() => {
	const key = "theme";
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)");

	function chosen() {
		try {
			return localStorage.getItem(key);
		}
		catch {
			return null;
		}
	}

	function isDark() {
		return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
	}

	// Pictures in two versions name the browser's preference, which is not the reader's choice.
	function show() {
		for (const source of document.querySelectorAll("picture source")) {
			source.media = isDark() ? "all" : "not all";
		}
		document.querySelector("button.theme").ariaPressed = String(isDark());
	}

	if (chosen()) {
		root.dataset.theme = chosen();
	}
	dark.addEventListener("change", show);
	document.addEventListener("DOMContentLoaded", () => {
		show();
		document.querySelector("button.theme").addEventListener("click", () => {
			root.dataset.theme = isDark() ? "light" : "dark";
			try {
				localStorage.setItem(key, root.dataset.theme);
			}
			catch {
				// The choice lasts as long as the page.
			}
			show();
		});
	});
})();
