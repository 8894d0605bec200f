package io.github.ratelimit.spring.web;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.spring.form.PostedForm;

/**
 * A random request with a form in which parsers may find different values of the field
 * {@code username}.
 *
 * @param query the query with its question mark, or an empty text
 * @param type the media type
 * @param body the body
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record RandomForm(String query, String type, byte[] body) {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final List<String> NAMES = List.of("username", "x", " username", "username ", "+username",
			"username%20", "\tusername", "\r\nusername", "\u0000username", "username%00", "%01username", "user%6Eame",
			"user%6eame", "Username", "USERNAME", "userName", "username[]", "username%5B%5D", "username[0]",
			"username.x", "!username", "_username", "username%zz", "user%name", "\u00A0username", "%C2%A0username",
			"%E2%80%8Busername", "\uFEFFusername", "username;x", "u%FFsername", "%C3%BCsername", "\u00FCsername",
			"user-name", "", "password");

	private static final List<String> VALUES = List.of("victim", "VICTIM", "junk", "junk2", "", " victim", "+victim+",
			"%20victim", "victim%01%02", "victim%00", "vic%74im", "v%ECctim", "%C3%A4", "%E4", "\u00E4", "%zz", "%",
			"%u0061", "victim,junk", "victim;junk", "a=b", "victim\r\n", "victim\u007F", "\u2028victim", "%EF%BB%BFx",
			"%F0%9F%98%80", "%ED%A0%80", "%C0%AF", "\u00FF", "\uFF56ictim", "victim%E2%80%8B");

	private static final List<String> BETWEEN = List.of("&", "&&", ";", "& ", "\r\n&", "\u0000&", "&\u0001", "&=&",
			"\n");

	private static final List<String> QUERIES = List.of("", "?x=1", "?", "?x", "?username=query", "?Username=query",
			"?user%6eame=query", "?username", "?username=", "?username[]=query", "?username%5B0%5D=query",
			"?x=1&username=query", "?%20username=query", "?username%00=query", "?x=%zz", "?username=%zz", "?x=%E4",
			"?&&=&", "?x=1;username=query", "?+username=query");

	private static final List<String> TYPES = List.of(FORM, FORM + ";charset=UTF-8", FORM + "; charset=\"utf-8\"",
			FORM + ";charset=ISO-8859-1", FORM + ";charset=IBM037", FORM + ";charset=UTF-16",
			FORM + ";charset=UTF-8;charset=IBM037", FORM + ";charset=IBM037;charset=UTF-8", FORM + ";charset=x",
			FORM + ";", FORM + "; a=b", "Application/X-WWW-Form-Urlencoded", "text/plain");

	private static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1,
			StandardCharsets.UTF_16BE, Charset.forName("IBM037"));

	/** Returns a form, most of which have a few peculiarities. */
	static RandomForm of(Random random) {
		StringBuilder body = new StringBuilder(field(random));
		while (random.nextInt(3) == 0) {
			body.append(any(BETWEEN, random)).append(field(random));
		}
		if (random.nextInt(50) == 0) {
			body.append("&x=").append("x".repeat(PostedForm.MOST_BYTES - 40 + random.nextInt(80)));
		}
		return new RandomForm(any(QUERIES, random), any(TYPES, random),
				body.toString().getBytes(any(CHARSETS, random)));
	}

	private static String field(Random random) {
		String name = any(NAMES, random);
		return (random.nextInt(20) > 0) ? name + '=' + VALUES.get(random.nextInt(VALUES.size())) : name;
	}

	/** Returns the first of a list, or sometimes any. */
	private static <T> T any(List<T> list, Random random) {
		return list.get((random.nextInt(4) == 0) ? random.nextInt(list.size()) : 0);
	}

	/** Returns the request, on a connection that stays open. */
	byte[] request(String path) {
		byte[] head = ("POST " + path + this.query + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + this.type
				+ "\r\nContent-Length: " + this.body.length + "\r\n\r\n")
			.getBytes(StandardCharsets.ISO_8859_1);
		byte[] request = Arrays.copyOf(head, head.length + this.body.length);
		System.arraycopy(this.body, 0, request, head.length, this.body.length);
		return request;
	}

	@Override
	public String toString() {
		return this.query + ' ' + this.type + " [" + new String(this.body, StandardCharsets.UTF_8) + ']';
	}

}
