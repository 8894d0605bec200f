package io.github.ratelimit.site;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BulletList;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * The order of the pages: the list below the heading "Documentation" of the README, each
 * entry of which is a group such as {@code Start: [Recipes](docs/recipes.md)}.
 *
 * @param groups the groups in the list's order
 */
record Navigation(List<Group> groups) {

	static final String HEADING = "Documentation";

	/**
	 * Pages that belong together.
	 *
	 * @param title the text before the colon
	 * @param entries its links
	 */
	record Group(String title, List<Entry> entries) {

	}

	/**
	 * A link to a page.
	 *
	 * @param title the text of the link
	 * @param url the page's address, relative to the site's root
	 */
	record Entry(String title, String url) {

	}

	static Navigation of(Page readme) {
		Node list = readme.sections()
			.stream()
			.filter((section) -> section.title().equals(HEADING))
			.map((section) -> section.heading().getNext())
			.filter(BulletList.class::isInstance)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					readme.source() + " has no list of pages below a heading '" + HEADING + "'"));
		List<Group> groups = new ArrayList<>();
		for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
			String text = PlainText.of(item);
			groups.add(new Group(text.substring(0, text.indexOf(':')), entries(item)));
		}
		return new Navigation(groups);
	}

	/** Returns all entries in the order of reading. */
	Stream<Entry> entries() {
		return this.groups.stream().flatMap((group) -> group.entries().stream());
	}

	private static List<Entry> entries(Node item) {
		List<Entry> entries = new ArrayList<>();
		item.accept(new AbstractVisitor() {
			@Override
			public void visit(Link link) {
				entries.add(new Entry(PlainText.of(link), link.getDestination()));
			}
		});
		return entries;
	}

}
