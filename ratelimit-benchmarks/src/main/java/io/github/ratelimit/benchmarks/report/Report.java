package io.github.ratelimit.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Writes results to the console and, if there is a folder of results, into each of its
 * pages that has comments which name the part.
 */
public final class Report {

	private static final String END = "<!-- end -->";

	private final @Nullable Path folder;

	/**
	 * Creates a report.
	 * @param folder the folder of the pages; {@code null} to only print
	 */
	public Report(@Nullable Path folder) {
		this.folder = folder;
	}

	/** Tells what is being done. */
	@SuppressWarnings("checkstyle:regexpsinglelinejava")
	public void progress(String text) {
		System.out.println(text);
	}

	/** Prints a part of the pages and replaces it there. */
	public void part(String name, String markdown) {
		progress("\n" + markdown);
		if (this.folder != null) {
			replace(this.folder, "<!-- measured: " + name + " -->", markdown);
		}
	}

	/** Writes a picture, drawn as SVG, into the folder. */
	public void picture(String name, String svg) {
		if (this.folder != null) {
			write(this.folder.resolve(name + ".svg"), svg);
		}
	}

	private static void replace(Path folder, String begin, String markdown) {
		List<Path> pages = pages(folder).filter((page) -> read(page).contains(begin)).toList();
		if (pages.isEmpty()) {
			throw new IllegalStateException("No page has '" + begin + "'");
		}
		pages.forEach((page) -> write(page, replaced(read(page), begin, markdown)));
	}

	private static Stream<Path> pages(Path folder) {
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter((file) -> file.toString().endsWith(".md")).toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String replaced(String page, String begin, String markdown) {
		int from = page.indexOf(begin);
		int to = page.indexOf(END, from);
		if (to < 0) {
			throw new IllegalStateException("The page lacks '" + END + "' after '" + begin + "'");
		}
		return page.substring(0, from) + begin + "\n" + markdown.strip() + "\n" + page.substring(to);
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void write(Path file, String text) {
		try {
			Files.createDirectories(file.toAbsolutePath().getParent());
			Files.writeString(file, text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
