package io.github.ratelimit.site;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * A heading of a page with the text that follows it.
 *
 * @param heading the heading itself
 * @param anchor the fragment that leads to it, the same as on GitHub
 * @param title the text of the heading
 * @param text the text up to the next heading
 */
record Section(Heading heading, String anchor, String title, String text) {

	private static final Pattern DRAWING_OR_SPACE = Pattern.compile("[\\u2500-\\u25ff\\s]+");

	/** Returns the sections of a document, of which the first is its title. */
	static List<Section> of(Node document) {
		IdGenerator anchors = IdGenerator.builder().build();
		List<Section> sections = new ArrayList<>();
		for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
			if (node instanceof Heading heading) {
				String title = PlainText.of(heading);
				sections.add(new Section(heading, anchors.generateId(title), title, textAfter(heading)));
			}
		}
		return sections;
	}

	int level() {
		return this.heading.getLevel();
	}

	private static String textAfter(Heading heading) {
		StringBuilder text = new StringBuilder();
		for (Node node = heading.getNext(); node != null && !(node instanceof Heading); node = node.getNext()) {
			text.append(PlainText.of(node)).append(' ');
		}
		return DRAWING_OR_SPACE.matcher(text).replaceAll(" ").strip();
	}

}
