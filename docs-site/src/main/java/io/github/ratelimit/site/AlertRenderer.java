package io.github.ratelimit.site;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * A renderer of {@link Alert}s, as boxes with a title.
 */
final class AlertRenderer implements NodeRenderer {

	private final HtmlNodeRendererContext context;

	AlertRenderer(HtmlNodeRendererContext context) {
		this.context = context;
	}

	@Override
	public Set<Class<? extends Node>> getNodeTypes() {
		return Set.of(Alert.class);
	}

	@Override
	public void render(Node node) {
		HtmlWriter html = this.context.getWriter();
		String kind = ((Alert) node).kind();
		html.tag("div", Map.of("class", "alert alert-" + kind));
		html.tag("p", Map.of("class", "alert-title"));
		html.text(kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1));
		html.tag("/p");
		for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
			this.context.render(child);
		}
		html.tag("/div");
		html.line();
	}

}
