package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One page of the documentation.
 *
 * @param file where it is
 * @param text what it says
 */
record Markdown(Path file, String text) {

	private static final Pattern BLOCK = Pattern.compile("^ *```([a-z]*)\n(.*?)^ *```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

	/**
	 * A fenced block of a page.
	 *
	 * @param page the page it stands on
	 * @param language what its fence says
	 * @param text what is within
	 */
	record Block(Markdown page, String language, String text) {

		@Override
		public String toString() {
			return this.page + ": " + this.text.lines().findFirst().orElse("nothing");
		}

	}

	/** The project's folder, in which this module's is. */
	static Path root() {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(folder.resolve("ratelimit-core"))) {
			folder = Objects.requireNonNull(folder.getParent(), "run this inside of the project");
		}
		return folder;
	}

	/** Every page: those of the project's folder and those of {@code docs}. */
	static Stream<Markdown> pages() {
		return Stream.of(root(), root().resolve("docs"))
			.flatMap(Markdown::files)
			.filter((file) -> file.toString().endsWith(".md"))
			.sorted()
			.map(Markdown::read);
	}

	static Markdown read(Path file) {
		return new Markdown(file, text(file));
	}

	static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<Path> files(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Stream<Block> blocks(String language) {
		return BLOCK.matcher(this.text)
			.results()
			.filter((block) -> block.group(1).equals(language))
			.map((block) -> new Block(this, language, block.group(2)));
	}

	/** The targets of links to other pages and files, each maybe with a fragment. */
	List<String> relativeLinks() {
		return LINK.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((link) -> link.group(1))
			.filter((target) -> !target.matches("[a-z]+:.*"))
			.toList();
	}

	/** What a fragment may be to lead to one of the page's headings. */
	List<String> anchors() {
		return HEADING.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
			.toList();
	}

	/** The rows of the tables whose first column has a title, as cells without ticks. */
	List<List<String>> rows(String firstColumn) {
		Pattern table = Pattern.compile("^\\| " + firstColumn + " .*\n\\|[ :|-]+\n((\\|.*\n)+)", Pattern.MULTILINE);
		List<List<String>> rows = new ArrayList<>();
		table.matcher(this.text)
			.results()
			.map((MatchResult match) -> match.group(1))
			.flatMap(String::lines)
			.map((row) -> List.of(row.replace("`", "").substring(1).strip().split(" *\\| *")))
			.forEach(rows::add);
		return rows;
	}

	@Override
	public String toString() {
		return root().relativize(this.file).toString();
	}

}
