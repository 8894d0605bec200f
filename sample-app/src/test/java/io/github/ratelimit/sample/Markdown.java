package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

	private static final Pattern PROPERTIES = Pattern.compile(
			"^\\| (?:Property|`(ratelimit\\.(?:[^`|]+\\.)?)\\*`) .*\n\\|[ :|-]+\n((?:\\|.*\n)+)", Pattern.MULTILINE);

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

	/** Every page of the project, of {@code docs} and of the sample. */
	static Stream<Markdown> pages() {
		return Stream.of(root(), root().resolve("docs"), root().resolve("sample-app"))
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
		return blocks().filter((block) -> block.language().equals(language));
	}

	Stream<Block> blocks() {
		return BLOCK.matcher(this.text).results().map((block) -> new Block(this, block.group(1), block.group(2)));
	}

	/** The targets of links to other pages and files, each maybe with a fragment. */
	List<String> relativeLinks() {
		return LINK.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((link) -> link.group(1))
			.filter((target) -> !target.matches("[a-z]+:.*"))
			.toList();
	}

	/** Returns the fragments that lead to the page's headings. */
	List<String> anchors() {
		return HEADING.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-'))
			.toList();
	}

	/**
	 * The rows of the tables of properties, as cells without ticks. The first column has
	 * the title {@code Property} and full names, or a prefix such as
	 * {@code `ratelimit.redis.*`} and the names that follow it.
	 */
	List<List<String>> properties() {
		return PROPERTIES.matcher(this.text).results().flatMap((table) -> {
			String prefix = Objects.requireNonNullElse(table.group(1), "");
			return table.group(2).lines().map((row) -> cells(prefix + row.replace("`", "").substring(1).strip()));
		}).toList();
	}

	private static List<String> cells(String row) {
		return List.of(row.split(" *\\| *"));
	}

	@Override
	public String toString() {
		return root().relativize(this.file).toString();
	}

}
