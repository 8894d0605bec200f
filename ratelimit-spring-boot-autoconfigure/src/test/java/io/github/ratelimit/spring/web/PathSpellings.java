package io.github.ratelimit.spring.web;

import java.util.List;
import java.util.stream.Stream;

/**
 * Spellings of a path that some part of a server may take for the path itself.
 */
final class PathSpellings {

	private static final List<String> BEFORE = List.of("/", "//", "/.", "/./.", "/%2e", "/%2E", "/x/..", "/x/%2e%2e",
			"/x;/..", "/..", "/..;", "/%2e%2e", "/%252e", "/;", "/;v=1", "/%20", "/%09", "/%00", "/%2F", "/%5C",
			"/%252F");

	private static final List<String> BETWEEN = List.of("//", "/./", "/%2e/", "/%2E/", "/x/../", "%2F", "%2f", "%5C",
			"%5c", "\\", "%252F", ";v=1/", ";/", "/;/", "/.;/", "/%20/", "%2F%2F", "%20/");

	private static final List<String> AFTER = List.of("", "/", "//", "/.", "/./", "/%2e", "/..", "/x/..", "/;", "%2F",
			"%2f", "%5C", "\\", "%20", "%09", ".", "..", "%2E", ";", ";v=1", ";/", "?x=1", "?", "#f", "%00", "%3F",
			"%3Bx", "%23", "%2F.", "%2F%2F", "%252F");

	private PathSpellings() {
	}

	/** Spellings of a path, below a context path or none. */
	static Stream<String> of(String context, String path, int port) {
		int last = path.lastIndexOf('/');
		String first = path.substring(1, 2);
		Stream<String> within = Stream
			.of(BEFORE.stream().map((before) -> before + path),
					Stream.of("/%2F", "/%2f", "/%5C", "/%5c", "/\\", "\\", "/%252F")
						.map((slash) -> slash + path.substring(1)),
					BETWEEN.stream().map((between) -> path.substring(0, last) + between + path.substring(last + 1)),
					AFTER.stream().map((after) -> path + after), letters(path, first))
			.flatMap((spellings) -> spellings);
		return Stream.concat(within.map(context::concat), around(context, path, port)).distinct();
	}

	private static Stream<String> letters(String path, String first) {
		String rest = path.substring(2);
		String code = Integer.toHexString(first.charAt(0));
		return Stream.of("/%" + code + rest, "/%25" + code + rest,
				"/" + first.toUpperCase(java.util.Locale.ROOT) + rest, "/" + encoded(path.substring(1)),
				"/%C0%AF" + path.substring(1), "/%zz" + path, "//" + first + rest + "/", "/%2e/" + first + rest + "/",
				"/./%" + code + rest + "/.");
	}

	/** Returns spellings that contain the context path. */
	private static Stream<String> around(String context, String path, int port) {
		String whole = context + path;
		return Stream.of("http://localhost:" + port + whole, "http://example.org" + whole, "http://localhost/" + whole,
				"/" + whole, "/." + whole, "/x/.." + whole, whole.replaceFirst("/", "/%2e/"),
				"/" + encoded(whole.substring(1)), context + "/.." + whole, context + ";v=1" + path);
	}

	private static String encoded(String path) {
		StringBuilder encoded = new StringBuilder();
		path.chars().forEach((letter) -> encoded.append((letter == '/') ? "/" : "%" + Integer.toHexString(letter)));
		return encoded.toString();
	}

}
