package io.github.ratelimit.spring.form;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PostedFormTests {

	private static final String FORM = "application/x-www-form-urlencoded";

	@ParameterizedTest
	@CsvSource({ "POST, " + FORM + ",, 1, true", "POST, " + FORM + ",, 8192, true", "POST, " + FORM + ",, 8193, false",
			"POST, " + FORM + ",, 0, false", "POST, " + FORM + ",, -1, false", "PUT, " + FORM + ",, 1, false",
			"POST,,, 1, false", "POST, text/plain,, 1, false", "POST, nonsense,, 1, false",
			"POST, " + FORM + ";charset=UTF-8,, 1, true", "POST, " + FORM + "; charset=\"utf8\",, 1, true",
			"POST, " + FORM + ";charset=ISO-8859-1,, 1, false", "POST, " + FORM + ";charset=none,, 1, false",
			"POST, " + FORM + ";charset=ISO-8859-1, utf-8, 1, true", "POST, " + FORM + ", ISO-8859-1, 1, false",
			"POST, Application/X-WWW-form-urlencoded; a=b,, 1, true", "POST, multipart/form-data,, 1, false" })
	void readsFormsOfABoundedSizeInOneCharset(String method, @Nullable String type, @Nullable String charset, long size,
			boolean isReadable) {
		assertThat(PostedForm.isReadable(method, type, charset, size)).isEqualTo(isReadable);
	}

	@ParameterizedTest
	@CsvSource({ "email=a, a", "x=1&email=a%20+b&email=c, 'a  b'", "e%6Dail=%C3%A4, ä", "email=, ''", "email, ''",
			"&&email=a=b&, a=b", "Email=a,", "'',", "email=%FF,", "email=%C3,", "email=a&x=%zz,", "email=a%,",
			"email=a&%u0061=b," })
	void hasTheFirstValueOfAField(String body, @Nullable String value) {
		assertThat(PostedForm.parse(body.getBytes(StandardCharsets.UTF_8)).first("email")).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "email=\u00E4", "email=a&x=\u00E4" })
	void hasNoValueOfBytesThatAreNoText(String body) {
		PostedForm form = PostedForm.parse(body.getBytes(StandardCharsets.ISO_8859_1));
		assertThat(form.first("email")).isEqualTo(body.startsWith("email=a") ? "a" : null);
	}

	@Test
	void keepsTheBody() {
		byte[] body = { 'a', '=', (byte) 0xFF };
		assertThat(PostedForm.parse(body).body()).isEqualTo(body);
		assertThat(PostedForm.parse(body).hasBody()).isTrue();
		assertThat(PostedForm.of(Map.of("a", List.of("1", "2"))).hasBody()).isFalse();
		assertThat(PostedForm.of(Map.of("a", List.of("1", "2"))).first("a")).isEqualTo("1");
	}

}
