package io.github.ratelimit.site;

import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;

/**
 * The words of a node without their markup, for headings and for the search.
 */
final class PlainText extends AbstractVisitor {

	private final StringBuilder text = new StringBuilder();

	private PlainText() {
	}

	static String of(Node node) {
		PlainText plain = new PlainText();
		node.accept(plain);
		return plain.text.toString().strip();
	}

	@Override
	public void visit(Text node) {
		this.text.append(node.getLiteral());
	}

	@Override
	public void visit(Code node) {
		this.text.append(node.getLiteral());
	}

	@Override
	public void visit(FencedCodeBlock node) {
		this.text.append(' ').append(node.getLiteral()).append(' ');
	}

	@Override
	public void visit(SoftLineBreak node) {
		this.text.append(' ');
	}

	@Override
	public void visit(HardLineBreak node) {
		this.text.append(' ');
	}

	@Override
	public void visit(Paragraph node) {
		visitChildren(node);
		this.text.append(' ');
	}

	@Override
	public void visit(CustomNode node) {
		visitChildren(node);
		if (node instanceof TableCell) {
			this.text.append(' ');
		}
	}

}
