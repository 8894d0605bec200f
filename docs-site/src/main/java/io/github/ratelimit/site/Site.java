package io.github.ratelimit.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.webjars.WebJarVersionLocator;

/**
 * All pages of the documentation, each where its Markdown file is in the project.
 *
 * @param project the project's folder
 * @param pages the pages, in the order of the navigation
 * @param navigation their order
 */
record Site(Path project, List<Page> pages, Navigation navigation) {

	private static final List<String> ASSETS = List.of("site.css", "theme.js", "site.js", "search.js", "icon.svg");

	private static final String HIGHLIGHTER = "highlight.min.js";

	/** Reads the pages of the project's folder, of {@code docs} and of the sample. */
	static Site read(Path project) throws IOException {
		try (Stream<Path> own = Files.list(project);
				Stream<Path> docs = Files.walk(project.resolve("docs"));
				Stream<Path> sample = Files.list(project.resolve("sample-app"))) {
			List<Page> pages = Stream.of(own, docs, sample)
				.flatMap((files) -> files.filter((file) -> file.toString().endsWith(".md")).sorted())
				.map((file) -> Page.read(project, file))
				.toList();
			Navigation navigation = Navigation.of(readme(pages));
			requireEntries(pages, navigation);
			return new Site(project, inOrder(pages, navigation), navigation);
		}
	}

	private static Page readme(List<Page> pages) {
		return pages.stream().filter((page) -> page.url().equals("index.html")).findFirst().orElseThrow();
	}

	private static void requireEntries(List<Page> pages, Navigation navigation) {
		Set<String> entries = navigation.entries().map(Navigation.Entry::url).collect(Collectors.toSet());
		pages.stream()
			.filter((page) -> page.source().startsWith("docs") && !entries.contains(page.url()))
			.findFirst()
			.ifPresent((page) -> {
				throw new IllegalStateException("The README links to no page " + page.source()
						+ ": add it to the list below '" + Navigation.HEADING + "'");
			});
	}

	private static List<Page> inOrder(List<Page> pages, Navigation navigation) {
		List<String> urls = navigation.entries().map(Navigation.Entry::url).toList();
		return pages.stream().sorted((one, other) -> {
			return Integer.compare(urls.indexOf(one.url()), urls.indexOf(other.url()));
		}).toList();
	}

	/** Writes pages, the index of the search, and every file that they need. */
	void write(Path site) throws IOException {
		Layout layout = new Layout(this.navigation);
		for (Page page : this.pages) {
			write(site.resolve(page.url()), layout.render(page));
			for (String file : page.files()) {
				copy(page, file, site);
			}
		}
		write(site.resolve("assets/search-index.js"), SearchIndex.of(this.pages).script());
		writeAssets(site.resolve("assets"));
	}

	private void copy(Page page, String file, Path site) throws IOException {
		Path source = this.project.resolve(page.source()).resolveSibling(file).normalize();
		if (!Files.isRegularFile(source)) {
			throw new IllegalStateException(page.source() + " links to " + file + ", which is no file");
		}
		Path target = site.resolve(this.project.relativize(source).toString());
		Files.createDirectories(target.resolveSibling(""));
		Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
	}

	private static void writeAssets(Path folder) throws IOException {
		for (String asset : ASSETS) {
			write(folder.resolve(asset), Site.class.getResourceAsStream(asset));
		}
		String highlighter = new WebJarVersionLocator().fullPath("highlightjs", HIGHLIGHTER);
		write(folder.resolve(HIGHLIGHTER), Site.class.getResourceAsStream("/" + highlighter));
	}

	private static void write(Path file, String text) throws IOException {
		Files.createDirectories(file.resolveSibling(""));
		Files.writeString(file, text);
	}

	private static void write(Path file, InputStream resource) throws IOException {
		try (InputStream in = Objects.requireNonNull(resource, () -> "no resource for " + file)) {
			Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
		}
	}

}
