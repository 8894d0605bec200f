package io.github.ratelimit.sample;

import io.github.ratelimit.test.AutoConfigureRateLimits;
import io.github.ratelimit.test.TestRateLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The limits of logins, whose hour passes in no time.
 */
@Tag("long")
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureRateLimits
class LoginLimitsTests {

	@Autowired
	MockMvcTester mvc;

	@Autowired
	TestRateLimits limits;

	@Test
	void admitFiveGuessesAMinute() {
		guess(5);
		assertThatCall(login("wrong")).isRateLimited().by("login").retryAfter("1m");
	}

	@Test
	void admitTwentyGuessesAnHour() {
		for (int minute = 0; minute < 4; minute++) {
			guess(5);
			this.limits.advance("1m");
		}
		assertThatCall(login("secret")).isRateLimited().by("login").retryAfter("56m");
		this.limits.advance("56m");
		assertThat(login("secret")).hasStatus(204);
	}

	private void guess(int times) {
		for (int call = 0; call < times; call++) {
			assertThat(login("wrong")).hasStatus(401);
		}
	}

	private MockMvcRequestBuilder login(String password) {
		return this.mvc.post().uri("/login").param("user", "ada").param("password", password);
	}

}
