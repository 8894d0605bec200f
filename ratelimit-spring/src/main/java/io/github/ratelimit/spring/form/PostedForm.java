package io.github.ratelimit.spring.form;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.key.TypedName;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * A form that a client posts, of a size that is read before it is known whether the
 * request is admitted. Immutable.
 */
public final class PostedForm {

	/** The name of the request's attribute. */
	public static final String ATTRIBUTE = PostedForm.class.getName();

	/** The most bytes of a body that is read. */
	public static final int MOST_BYTES = 8192;

	/** The character that stands for bytes that are no text. */
	private static final char NO_TEXT = '\uFFFD';

	/** The character at which Spring splits a value that it binds to a list. */
	private static final char SEPARATOR = ',';

	private static final char DELETE = '\u007F';

	private final byte[] body;

	private final MultiValueMap<String, String> fields;

	private final Collection<String> query;

	private final boolean isPlain;

	private PostedForm(byte[] body, MultiValueMap<String, String> fields, @Nullable Collection<String> query) {
		this.body = body;
		this.fields = CollectionUtils.unmodifiableMultiValueMap(fields);
		this.query = (query != null) ? query : List.of();
		this.isPlain = query != null && isPlain(new String(body, StandardCharsets.UTF_8));
	}

	/**
	 * Returns whether the body of a request is a form of a size that is read.
	 * @param method the method
	 * @param type the media type; {@code null} if there is none
	 * @param charset the charset in which the container reads the form; {@code null} for
	 * that of the media type
	 * @param size the bytes that the client announces, or -1 if it announces none
	 * @return whether it is a form in UTF-8, other than a multipart one
	 */
	public static boolean isReadable(String method, @Nullable String type, @Nullable String charset, long size) {
		return HttpMethod.POST.matches(method) && size > 0 && size <= MOST_BYTES && type != null
				&& (charset == null || StandardCharsets.UTF_8.name().equalsIgnoreCase(charset)) && isForm(type);
	}

	private static boolean isForm(String type) {
		try {
			MediaType media = MediaType.parseMediaType(type);
			Charset charset = media.getCharset();
			return media.equalsTypeAndSubtype(MediaType.APPLICATION_FORM_URLENCODED)
					&& (charset == null || charset.equals(StandardCharsets.UTF_8));
		}
		catch (InvalidMediaTypeException ex) {
			return false;
		}
	}

	/**
	 * Returns the form of a body.
	 * @param body the body
	 * @param query the names of the query's parameters; {@code null} if they cannot be
	 * read
	 * @return its form, without fields if the body is malformed
	 */
	public static PostedForm parse(byte[] body, @Nullable Collection<String> query) {
		try {
			return new PostedForm(body, decoded(new String(body, StandardCharsets.UTF_8)), query);
		}
		catch (IllegalArgumentException ex) {
			return new PostedForm(body, new LinkedMultiValueMap<>(), query);
		}
	}

	/**
	 * Returns a form that was read before.
	 * @param body the body; empty if it is no longer there
	 * @param fields the fields as the application gets them
	 * @param query the names of the query's parameters that are no fields; {@code null}
	 * if they cannot be read
	 * @return the form
	 */
	public static PostedForm of(byte[] body, Map<String, List<String>> fields, @Nullable Collection<String> query) {
		return new PostedForm(body, new LinkedMultiValueMap<>(fields), query);
	}

	private static MultiValueMap<String, String> decoded(String text) {
		MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
		for (String field : text.split("&", -1)) {
			int equals = field.indexOf('=');
			if (!field.isEmpty()) {
				fields.add(
						URLDecoder.decode((equals >= 0) ? field.substring(0, equals) : field, StandardCharsets.UTF_8),
						URLDecoder.decode((equals >= 0) ? field.substring(equals + 1) : "", StandardCharsets.UTF_8));
			}
		}
		return fields;
	}

	/**
	 * Returns the body.
	 * @return a copy; empty if an earlier filter read it
	 */
	public byte[] body() {
		return this.body.clone();
	}

	/**
	 * Returns whether the body was read here.
	 * @return whether there is a body for the application to read
	 */
	public boolean hasBody() {
		return this.body.length > 0;
	}

	/**
	 * Returns the fields.
	 * @return the values in order, decoded, by name; unmodifiable
	 */
	public MultiValueMap<String, String> fields() {
		return this.fields;
	}

	/**
	 * Returns the value of a field that every part of an application reads alike.
	 * @param name the field's name
	 * @return the value, decoded, or {@code null} if it is absent or no text in UTF-8,
	 * the field has several values or one with a comma, another parameter of the form or
	 * query may be taken for it, or parsers may differ on the body
	 */
	public @Nullable String only(String name) {
		List<String> values = this.fields.getOrDefault(name, List.of());
		String value = (values.size() == 1 && this.isPlain && isAlone(name)) ? values.get(0) : null;
		return (value != null && value.indexOf(NO_TEXT) < 0 && value.indexOf(SEPARATOR) < 0) ? value : null;
	}

	/** Spring binds properties by names in another case, too, and by indexes. */
	private boolean isAlone(String name) {
		String own = TypedName.of(name);
		return Stream.concat(this.fields.keySet().stream().filter((other) -> !other.equals(name)), this.query.stream())
			.map(TypedName::of)
			.noneMatch((other) -> other.equals(own) || other.startsWith(own + '[') || other.startsWith(own + '.'));
	}

	/** Some parsers trim what is around fields. */
	private static boolean isPlain(String body) {
		return body.chars().noneMatch((each) -> each <= ' ' || each == DELETE || each == NO_TEXT);
	}

}
