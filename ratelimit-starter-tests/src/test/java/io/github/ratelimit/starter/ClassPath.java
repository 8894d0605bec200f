package io.github.ratelimit.starter;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of this module, of which an application gets what its dependencies bring
 * and nothing else.
 */
final class ClassPath {

	private static final String APPLICATIONS = "ratelimit-starter-tests/target/classes";

	/**
	 * An arrow between two artifacts; what was left out as a duplicate is in brackets.
	 */
	private static final Pattern ARROW = Pattern
		.compile("\"\\(?[^:]+:([^:]+):[^\"]*\" -> \"\\(?[^:]+:([^:]+):[^\"]*\"");

	private final Map<String, Set<String>> dependencies;

	private final List<Path> entries;

	private ClassPath(Map<String, Set<String>> dependencies, List<Path> entries) {
		this.dependencies = dependencies;
		this.entries = entries;
	}

	/** Reads the class path of this JVM, and the graph that Maven wrote. */
	static ClassPath read() {
		String classPath = System.getProperty("java.class.path");
		try {
			Map<String, Set<String>> dependencies = ARROW.matcher(Files.readString(Path.of("target/dependencies.dot")))
				.results()
				.collect(Collectors.groupingBy((arrow) -> arrow.group(1),
						Collectors.mapping((arrow) -> arrow.group(2), Collectors.toSet())));
			return new ClassPath(dependencies,
					Stream.of(classPath.split(File.pathSeparator, -1))
						.filter((entry) -> !entry.isEmpty())
						.map(Path::of)
						.toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the class path of an application with these dependencies. */
	String of(Collection<String> artifacts) {
		Set<String> reached = reached(artifacts);
		return this.entries.stream()
			.filter((entry) -> entry.endsWith(APPLICATIONS) || reached.contains(artifact(entry)))
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private Set<String> reached(Collection<String> artifacts) {
		Set<String> reached = new LinkedHashSet<>(artifacts);
		Deque<String> open = new ArrayDeque<>(artifacts);
		while (!open.isEmpty()) {
			this.dependencies.getOrDefault(open.pop(), Set.of()).stream().filter(reached::add).forEach(open::push);
		}
		return reached;
	}

	/**
	 * Returns the folder in which a repository has an artifact's version, and a module
	 * its target.
	 */
	private static String artifact(Path entry) {
		return entry.getName(entry.getNameCount() - 3).toString();
	}

}
