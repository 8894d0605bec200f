package io.github.ratelimit.site;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The program that renders the documentation of a project to a folder of static files.
 */
public final class RenderSite {

	private RenderSite() {
	}

	/**
	 * Renders the site.
	 * @param arguments the project's folder, and the folder to write
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String... arguments) throws IOException {
		if (arguments.length != 2) {
			throw new IllegalArgumentException(
					"Arguments are the project's folder and the folder to write, not " + String.join(" ", arguments));
		}
		Path project = Path.of(arguments[0]).toRealPath();
		Path site = Path.of(arguments[1]).toAbsolutePath();
		Site.read(project).write(site);
	}

}
