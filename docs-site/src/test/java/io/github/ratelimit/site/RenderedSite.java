package io.github.ratelimit.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The site of this project in a folder.
 *
 * @param folder where it is
 */
record RenderedSite(Path folder) {

	private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");

	private static final Pattern LINK = Pattern.compile(" (?:href|src|srcset)=\"([^\"]+)\"");

	/** Renders the project in which the tests run. */
	static RenderedSite into(Path folder) throws IOException {
		RenderSite.main(Path.of("..").toString(), folder.toString());
		return new RenderedSite(folder);
	}

	List<Path> pages() {
		try (Stream<Path> files = Files.walk(this.folder)) {
			return files.filter((file) -> file.toString().endsWith(".html")).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static List<String> ids(Path page) {
		return all(ID, page);
	}

	static List<String> links(Path page) {
		return all(LINK, page);
	}

	private static List<String> all(Pattern pattern, Path page) {
		return pattern.matcher(text(page)).results().map((match) -> match.group(1).replace("&amp;", "&")).toList();
	}

}
