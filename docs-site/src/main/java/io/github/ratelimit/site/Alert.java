package io.github.ratelimit.site;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/**
 * A quote that GitHub shows as a box, as its first line is a marker such as
 * {@code [!NOTE]}.
 */
final class Alert extends CustomBlock {

	private static final Pattern MARKER = Pattern.compile("\\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)]");

	private final String kind;

	private Alert(String kind) {
		this.kind = kind;
	}

	/** Returns its kind in lower case, such as {@code note}. */
	String kind() {
		return this.kind;
	}

	/** Replaces the quotes of a document that begin with a marker. */
	static Node replaceQuotes(Node document) {
		document.accept(new AbstractVisitor() {
			@Override
			public void visit(BlockQuote quote) {
				visitChildren(quote);
				replace(quote);
			}
		});
		return document;
	}

	private static void replace(BlockQuote quote) {
		if (!(quote.getFirstChild() instanceof Paragraph first)) {
			return;
		}
		Matcher marker = MARKER.matcher(firstLine(first));
		if (!marker.matches()) {
			return;
		}
		removeFirstLine(first);
		Alert alert = new Alert(marker.group(1).toLowerCase(Locale.ROOT));
		for (Node child = quote.getFirstChild(); child != null; child = quote.getFirstChild()) {
			alert.appendChild(child);
		}
		quote.insertAfter(alert);
		quote.unlink();
	}

	private static String firstLine(Paragraph paragraph) {
		StringBuilder line = new StringBuilder();
		for (Node node = paragraph.getFirstChild(); node instanceof Text text; node = node.getNext()) {
			line.append(text.getLiteral());
		}
		return line.toString();
	}

	private static void removeFirstLine(Paragraph paragraph) {
		while (paragraph.getFirstChild() instanceof Text text) {
			text.unlink();
		}
		if (paragraph.getFirstChild() instanceof SoftLineBreak end) {
			end.unlink();
		}
		if (paragraph.getFirstChild() == null) {
			paragraph.unlink();
		}
	}

}
