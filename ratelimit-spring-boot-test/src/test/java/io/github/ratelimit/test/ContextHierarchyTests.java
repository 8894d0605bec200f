package io.github.ratelimit.test;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.ReportService;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("long")
@SpringBootTest
@AutoConfigureMockMvc
@ContextHierarchy({ @ContextConfiguration(name = "shared", classes = ContextHierarchyTests.Shared.class),
		@ContextConfiguration(name = "web", classes = QuoteApplication.class) })
@AutoConfigureRateLimits
class ContextHierarchyTests {

	@Autowired
	MockMvcTester mvc;

	@Autowired
	ReportService reports;

	@Autowired
	TestRateLimits limits;

	@Autowired
	ApplicationContext context;

	@Test
	void limitsTheLastContext() {
		this.limits.exhaust("quotes", "client-ip:127.0.0.1");
		assertThatCall(this.mvc.get().uri("/quotes")).isRateLimited().by("quotes");
		this.limits.exhaust("reports", "global");
		assertThatCall(() -> this.reports.print()).isRateLimited().by("reports");
	}

	@Test
	void leavesTheParentAlone() {
		ApplicationContext parent = this.context.getParent();
		assertThat(parent).isNotNull();
		assertThat(parent.getBean(StringBuilder.class)).isNotNull();
		assertThat(parent.getBeansOfType(RateLimiter.class)).isEmpty();
		assertThat(parent.getBeansOfType(TestRateLimits.class)).isEmpty();
	}

	@Nested
	class InANestedClass {

		@Test
		void limitsToo() {
			ContextHierarchyTests.this.limits.exhaust("quotes", "client-ip:127.0.0.1");
			assertThatCall(ContextHierarchyTests.this.mvc.get().uri("/quotes")).isRateLimited();
		}

	}

	@Nested
	@ContextHierarchy(@ContextConfiguration(name = "web", classes = Shared.class))
	class WithMoreBeansInTheLastContext {

		@Test
		void limitsToo(@Autowired TestRateLimits limits, @Autowired MockMvcTester mvc) {
			limits.exhaust("quotes", "client-ip:127.0.0.1");
			assertThatCall(mvc.get().uri("/quotes")).isRateLimited();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shared {

		@Bean
		StringBuilder shared() {
			return new StringBuilder();
		}

	}

}
