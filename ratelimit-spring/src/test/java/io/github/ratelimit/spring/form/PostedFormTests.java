package io.github.ratelimit.spring.form;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
			"POST, " + FORM + ";charset=ISO-8859-1, utf-8, 1, false",
			"POST, " + FORM + ";charset=utf-8, utf-8, 1, true", "POST, " + FORM + ", ISO-8859-1, 1, false",
			"POST, Application/X-WWW-form-urlencoded; a=b,, 1, true", "POST, multipart/form-data,, 1, false" })
	void readsFormsOfABoundedSizeInOneCharset(String method, @Nullable String type, @Nullable String charset, long size,
			boolean isReadable) {
		assertThat(PostedForm.isReadable(method, type, charset, size)).isEqualTo(isReadable);
	}

	@ParameterizedTest
	@CsvSource({ "email=a, a", "x=1&email=a%20+b&mail=c, 'a  b'", "e%6Dail=%C3%A4, \u00E4", "email=\u00E4, \u00E4",
			"email=, ''", "email, ''", "&&email=a=b&, a=b", "!email=b&email=a, a", "_email=b&email=a, a" })
	void hasTheOnlyValueOfAField(String body, String value) {
		assertThat(parse(body).only("email")).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Email=a", "email=%FF", "email=%C3", "email=a&x=%zz", "email=a%", "email=a&%u0061=b",
			"email=a&email=a", "email=a,b", "email=a%2C", "email=a&email", "email=a&e%6Dail=b", "email=a&Email=b",
			"email=a&+email=b", "email=a&email%00=b", "email=a&%E2%80%8Bemail=b", "email=a&email[0]=b",
			"email=a&email%5B%5D=b", "email=a&email.x=b", "email=a& x=b", " email=a", "email=a\r\n", "email=a&\u0000x",
			"email=a\u007F" })
	void hasNoValueThatPartsOfAnApplicationMayReadInAnotherWay(String body) {
		assertThat(parse(body).only("email")).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "x, a", "emails, a", "email,", "EMAIL,", "email[],", "' email'," })
	void hasNoValueThatTheQueryMayHide(String parameter, @Nullable String value) {
		byte[] body = "email=a".getBytes(StandardCharsets.UTF_8);
		assertThat(PostedForm.parse(body, Set.of(parameter)).only("email")).isEqualTo(value);
		assertThat(PostedForm.parse(body, null).only("email")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "email=\u00E4", "email=a&x=\u00E4" })
	void hasNoValueInABodyThatIsNoText(String body) {
		assertThat(PostedForm.parse(body.getBytes(StandardCharsets.ISO_8859_1), Set.of()).only("email")).isNull();
	}

	@Test
	void keepsTheBody() {
		byte[] body = { 'a', '=', (byte) 0xFF };
		assertThat(PostedForm.parse(body, Set.of()).body()).isEqualTo(body);
		assertThat(PostedForm.parse(body, Set.of()).hasBody()).isTrue();
		PostedForm earlier = PostedForm.of(new byte[0], Map.of("a", List.of("1"), "b", List.of("1", "2")), Set.of());
		assertThat(earlier.hasBody()).isFalse();
		assertThat(earlier.only("a")).isEqualTo("1");
		assertThat(earlier.only("b")).isNull();
	}

	private static PostedForm parse(String body) {
		return PostedForm.parse(body.getBytes(StandardCharsets.UTF_8), Set.of());
	}

}
