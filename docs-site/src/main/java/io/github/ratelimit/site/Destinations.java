package io.github.ratelimit.site;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * The links of a page: those to Markdown lead to the pages that it becomes, and other
 * files of the project are collected, as the site needs a copy.
 */
final class Destinations extends AbstractVisitor {

	private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|#.*");

	private static final Pattern HTML_FILE = Pattern.compile("(?:src|srcset|href)=\"([^\"]+)\"");

	private final Set<String> files = new TreeSet<>();

	private Destinations() {
	}

	/** Rewrites the links of a document, and returns the files that it needs. */
	static Set<String> rewrite(Node document) {
		Destinations destinations = new Destinations();
		document.accept(destinations);
		return destinations.files;
	}

	/** Returns where a Markdown file, with or without a fragment, is on the site. */
	static String page(String markdown) {
		return markdown.replaceFirst("(^|/)README\\.md(?=$|#)", "$1index.html").replaceFirst("\\.md(?=$|#)", ".html");
	}

	@Override
	public void visit(Link link) {
		link.setDestination(rewrite(link.getDestination()));
		visitChildren(link);
	}

	@Override
	public void visit(Image image) {
		image.setDestination(rewrite(image.getDestination()));
		visitChildren(image);
	}

	@Override
	public void visit(HtmlBlock html) {
		HTML_FILE.matcher(html.getLiteral()).results().forEach((file) -> rewrite(file.group(1)));
	}

	private String rewrite(String destination) {
		if (ELSEWHERE.matcher(destination).matches()) {
			return destination;
		}
		String page = page(destination);
		if (page.equals(destination)) {
			this.files.add(destination);
		}
		return page;
	}

}
