package io.github.ratelimit.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A page of the site.
 *
 * @param source its Markdown file, relative to the project's folder
 * @param document what the file says, with links that lead to pages
 * @param sections its headings, of which the first is the title
 * @param files other files of the project that it links to, relative to the page
 */
record Page(Path source, Node document, List<Section> sections, Set<String> files) {

	private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

	private static final Parser PARSER = Parser.builder()
		.extensions(EXTENSIONS)
		.postProcessor(Alert::replaceQuotes)
		.build();

	static Page read(Path project, Path file) {
		Path source = project.relativize(file);
		Node document = PARSER.parse(text(file));
		List<Section> sections = Section.of(document);
		if (sections.isEmpty()) {
			throw new IllegalStateException(source + " has no heading: begin it with '# ' and a title");
		}
		return new Page(source, document, sections, Destinations.rewrite(document));
	}

	/** Returns its address on the site, relative to the site's root. */
	String url() {
		return Destinations.page(this.source.toString().replace('\\', '/'));
	}

	String title() {
		return this.sections.get(0).title();
	}

	/** Returns the way from the page to the site's root, such as {@code ../}. */
	String root() {
		return "../".repeat(this.source.getNameCount() - 1);
	}

	/** Returns the sections that a table of contents lists. */
	List<Section> contents() {
		return this.sections.stream().filter((section) -> section.level() == 2 || section.level() == 3).toList();
	}

	/** Returns whether the page is long enough for a table of contents. */
	boolean hasContents() {
		return contents().size() > 1;
	}

	String html() {
		return HtmlRenderer.builder()
			.extensions(EXTENSIONS)
			.nodeRendererFactory(AlertRenderer::new)
			.attributeProviderFactory((context) -> this::addAnchor)
			.build()
			.render(this.document);
	}

	private void addAnchor(Node node, String tag, Map<String, String> attributes) {
		if (node instanceof Heading) {
			this.sections.stream()
				.filter((section) -> section.heading().equals(node))
				.forEach((section) -> attributes.put("id", section.anchor()));
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
