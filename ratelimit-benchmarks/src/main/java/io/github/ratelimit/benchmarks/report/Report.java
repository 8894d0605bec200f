package io.github.ratelimit.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Writes results to the console and, if there is a folder of documentation, into its page
 * on performance, between comments that name the part.
 */
public final class Report {

	private static final String END = "<!-- end -->";

	private final @Nullable Path docs;

	/**
	 * Creates a report.
	 * @param docs the folder of the page; {@code null} to only print
	 */
	public Report(@Nullable Path docs) {
		this.docs = docs;
	}

	/** Tells what is being done. */
	@SuppressWarnings("checkstyle:regexpsinglelinejava")
	public void progress(String text) {
		System.out.println(text);
	}

	/** Prints a part of the page and puts it there. */
	public void part(String name, String markdown) {
		progress("\n" + markdown);
		if (this.docs != null) {
			Path page = this.docs.resolve("performance.md");
			write(page, replaced(read(page), "<!-- measured: " + name + " -->", markdown));
		}
	}

	/** Writes a picture, drawn as SVG, into the folder of the page. */
	public void picture(String name, String svg) {
		if (this.docs != null) {
			write(this.docs.resolve("performance").resolve(name + ".svg"), svg);
		}
	}

	private static String replaced(String page, String begin, String markdown) {
		int from = page.indexOf(begin);
		int to = page.indexOf(END, from);
		if (from < 0 || to < 0) {
			throw new IllegalStateException("The page lacks '" + begin + "' or '" + END + "' after it");
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
