package io.github.ratelimit.site;

import java.util.List;

import tools.jackson.databind.json.JsonMapper;

/**
 * The words by which the site is searched: every section of every page.
 *
 * @param sections the sections, in the order of the pages
 */
record SearchIndex(List<Entry> sections) {

	/**
	 * A section to be found.
	 *
	 * @param page the title of its page
	 * @param title its heading
	 * @param url its address, relative to the site's root
	 * @param text its words
	 */
	record Entry(String page, String title, String url, String text) {

	}

	static SearchIndex of(List<Page> pages) {
		return new SearchIndex(pages.stream().flatMap((page) -> page.sections().stream().map((section) -> {
			String url = (section.level() == 1) ? page.url() : page.url() + "#" + section.anchor();
			return new Entry(page.title(), section.title(), url, section.text());
		})).toList());
	}

	/** Returns a script, as browsers load no JSON from a file. */
	String script() {
		return "window.searchIndex = " + JsonMapper.shared().writeValueAsString(this.sections) + ";\n";
	}

}
