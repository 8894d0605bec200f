package io.github.ratelimit.spring.actuate;

import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.key.StatedRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * The fields of a dry run. No message has the value of a header.
 *
 * @param request the request
 * @param beans whether beans of the application are called
 */
record DryRunRequest(StatedRequest request, boolean beans) {

	private static final List<String> FIELDS = List.of("method", "path", "user", "address", "headers", "beans");

	/** Parses addresses in any spelling. */
	private static final ClientIp ADDRESSES = new ClientIp(List.of(), 128);

	/**
	 * Reads the fields.
	 * @throws IllegalArgumentException if a field is missing, unknown or unreadable
	 */
	static DryRunRequest of(Map<String, ? extends @Nullable Object> values) {
		values.keySet().stream().filter((name) -> !FIELDS.contains(name)).findFirst().ifPresent((name) -> {
			throw new IllegalArgumentException("the field '" + name + "' is unknown: the fields are " + FIELDS);
		});
		String[] path = required("path", values).split("\\?", 2);
		if (!path[0].startsWith("/")) {
			throw new IllegalArgumentException("the field 'path' begins with no slash: write the path without host and "
					+ "context path, such as /quotes?page=2");
		}
		String method = required("method", values).toUpperCase(Locale.ROOT);
		String user = text("user", values);
		return new DryRunRequest(
				new StatedRequest(method, path[0], (path.length > 1) ? path[1] : null,
						(user != null) ? (Principal) () -> user : null, address(text("address", values)),
						headers(Objects.requireNonNullElse(text("headers", values), "")), null, Map.of()),
				isCalling(text("beans", values)));
	}

	private static HttpHeaders headers(String lines) {
		HttpHeaders headers = new HttpHeaders();
		lines.lines().filter((line) -> !line.isBlank()).forEach((line) -> {
			int colon = line.indexOf(':');
			if (colon < 1) {
				throw new IllegalArgumentException("the field 'headers' has a line without a name and a colon: write "
						+ "each header as in HTTP, on a line of its own, such as \"X-Api-Key: 4711\\nX-Plan: gold\"");
			}
			headers.add(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
		});
		return headers;
	}

	private static @Nullable String address(@Nullable String text) {
		try {
			return (text != null) ? ADDRESSES.keyOf(text).replace("/128", "") : null;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"the field 'address' is '" + text + "', which is no IP address: write one, such as 192.0.2.1", ex);
		}
	}

	private static boolean isCalling(@Nullable String beans) {
		if (beans != null && !beans.equals("call")) {
			throw new IllegalArgumentException("the field 'beans' is '" + beans
					+ "': write call, to call beans that a key or plan names, or leave it out");
		}
		return beans != null;
	}

	private static String required(String name, Map<String, ? extends @Nullable Object> values) {
		String text = text(name, values);
		if (text == null) {
			throw new IllegalArgumentException("the field '" + name + "' is missing: the fields are " + FIELDS);
		}
		return text;
	}

	private static @Nullable String text(String name, Map<String, ? extends @Nullable Object> values) {
		return Objects.toString(values.get(name), null);
	}

}
