package io.github.ratelimit.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * One page of the documentation.
 *
 * @param file where it is
 * @param text what it says
 */
public record Markdown(Path file, String text) {

	private static final Pattern BLOCK = Pattern.compile("^ *```([a-z]*)\n(.*?)^ *```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern PROPERTIES = Pattern.compile(
			"^\\| (?:Property|`(ratelimit\\.(?:[^`|]+\\.)?)\\*`) .*\n\\|[ :|-]+\n((?:\\|.*\n)+)", Pattern.MULTILINE);

	/** A name in code with capital and small letters. */
	private static final Pattern TYPE = Pattern.compile("`([A-Z][A-Za-z]*[a-z][A-Za-z]*)[^`]*`");

	private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

	/**
	 * A fenced block of a page.
	 *
	 * @param page the page it stands on
	 * @param language what its fence says
	 * @param text what is within
	 */
	public record Block(Markdown page, String language, String text) {

		/** Returns what the block configures, if it is YAML. */
		public EnumerablePropertySource<?> properties() {
			ByteArrayResource yaml = new ByteArrayResource(this.text.getBytes(StandardCharsets.UTF_8));
			try {
				return (EnumerablePropertySource<?>) new YamlPropertySourceLoader().load("documentation", yaml).get(0);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public String toString() {
			return this.page + ": " + this.text.lines().findFirst().orElse("nothing");
		}

	}

	/** The project's folder, in which this module's is. */
	public static Path root() {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.isDirectory(folder.resolve("ratelimit-core"))) {
			folder = Objects.requireNonNull(folder.getParent(), "run this inside of the project");
		}
		return folder;
	}

	/** Every page of the project, of {@code docs} with its folders, and of the sample. */
	static Stream<Markdown> pages() {
		return Stream.of(files(root(), 1), files(root().resolve("docs"), 2), files(root().resolve("sample-app"), 1))
			.flatMap((files) -> files)
			.filter((file) -> file.toString().endsWith(".md"))
			.sorted()
			.map(Markdown::read);
	}

	/** Reads a page. */
	public static Markdown read(Path file) {
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

	static Stream<Path> files(Path folder, int depth) {
		try (Stream<Path> files = Files.walk(folder, depth)) {
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

	/** The blocks that configure rate limits. */
	public Stream<Block> configurations() {
		return blocks("yaml").filter((block) -> {
			return block.text().lines().anyMatch((line) -> line.strip().equals("ratelimit:"));
		});
	}

	/** The part of the page from a heading of the second level to the next one. */
	public Markdown section(String heading) {
		String[] parts = this.text.split("(?m)^## " + Pattern.quote(heading) + "$", 2);
		if (parts.length < 2) {
			throw new IllegalArgumentException(this + " has no section '" + heading + "'");
		}
		return new Markdown(this.file, parts[1].split("(?m)^## ", 2)[0]);
	}

	/** The targets of links to other pages and files, each maybe with a fragment. */
	List<String> relativeLinks() {
		return LINK.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((link) -> link.group(1))
			.filter((target) -> !target.matches("[a-z]+:.*"))
			.toList();
	}

	/** Returns the types that the page names, without those within them. */
	Set<String> types() {
		return TYPE.matcher(BLOCK.matcher(this.text).replaceAll(""))
			.results()
			.map((type) -> type.group(1))
			.collect(Collectors.toSet());
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
	 * The rows of the tables of properties, as cells, the first without ticks. The first
	 * column has the title {@code Property} and full names, or a prefix such as
	 * {@code `ratelimit.redis.*`} and the names that follow it.
	 */
	List<List<String>> properties() {
		return PROPERTIES.matcher(this.text).results().flatMap((table) -> {
			String prefix = Objects.requireNonNullElse(table.group(1), "");
			return table.group(2).lines().map((row) -> cells(prefix + row.replaceFirst("^\\| *`([^`]+)`", "$1")));
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
