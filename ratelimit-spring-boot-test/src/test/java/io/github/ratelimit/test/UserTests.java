package io.github.ratelimit.test;

import java.util.List;

import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import io.github.ratelimit.test.app.ReportService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of services that are called directly, by the user of the security context.
 */
class UserTests {

	@AfterEach
	void logOut() {
		SecurityContextHolder.clearContext();
	}

	/** Does what {@code @WithMockUser} does before a test. */
	private static void logIn(String name) {
		SecurityContextHolder
			.setContext(new SecurityContextImpl(new TestingAuthenticationToken(name, "secret", "ROLE_USER")));
	}

	private static void chargesTheUser(ReportService reports, TestRateLimits limits) {
		logIn("ada");
		reports.upload();
		assertThat(limits.remaining("uploads", "principal:ada")).isEqualTo(99);
		limits.exhaust("uploads", "principal:ada");
		assertThatCall(reports::upload).isRateLimited().by("uploads");
		assertThatCall(() -> reports.uploadLater().block()).isRateLimited().by("uploads");
		logIn("bob");
		reports.upload();
		assertThat(limits.remaining("uploads", "missing")).isEqualTo(100);
	}

	private static void chargesNoUser(ReportService reports, TestRateLimits limits) {
		reports.upload();
		SecurityContextHolder.setContext(new SecurityContextImpl(new AnonymousAuthenticationToken("key", "anonymous",
				List.of(new SimpleGrantedAuthority("ROLE_ANONYMOUS")))));
		reports.upload();
		assertThat(limits.remaining("uploads", "missing")).isEqualTo(98);
	}

	@Nested
	@SpringBootTest(classes = QuoteApplication.class, webEnvironment = WebEnvironment.NONE)
	@AutoConfigureRateLimits
	class WithoutAWebServer {

		@Test
		void chargesTheUserOfTheSecurityContext(@Autowired ReportService reports, @Autowired TestRateLimits limits) {
			chargesTheUser(reports, limits);
		}

		@Test
		void knowsNoAnonymousUser(@Autowired ReportService reports, @Autowired TestRateLimits limits) {
			chargesNoUser(reports, limits);
		}

	}

	@Nested
	@SpringBootTest(classes = QuoteApplication.class)
	@AutoConfigureMockMvc
	@AutoConfigureRateLimits
	class WithAMockRequest {

		@Test
		void chargesTheUserOfTheSecurityContext(@Autowired ReportService reports, @Autowired TestRateLimits limits) {
			chargesTheUser(reports, limits);
		}

		@Test
		void knowsNoAnonymousUser(@Autowired ReportService reports, @Autowired TestRateLimits limits) {
			chargesNoUser(reports, limits);
		}

		@Test
		void leavesTheCallersOfRequestsAlone(@Autowired MockMvcTester mvc, @Autowired TestRateLimits limits) {
			logIn("ada");
			assertThat(mvc.get().uri("/quotes")).hasStatusOk();
			assertThat(limits.remaining("quotes", "client-ip:127.0.0.1")).isEqualTo(9);
			assertThat(mvc.get().uri("/missing").with((request) -> {
				request.setUserPrincipal(() -> "bob");
				return request;
			})).hasStatusOk();
			assertThat(limits.remaining("uploads", "principal:bob")).isEqualTo(99);
		}

	}

	@Nested
	@SpringBootTest(classes = QuoteApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
	@AutoConfigureRateLimits
	class WithAServer {

		@Test
		void chargesTheUserOfTheSecurityContext(@Autowired ReportService reports, @Autowired TestRateLimits limits,
				@Autowired QuoteController other) {
			assertThat(other).isNotNull();
			chargesTheUser(reports, limits);
		}

	}

}
