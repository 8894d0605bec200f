package io.github.ratelimit.test;

import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.test.app.Accounts;
import io.github.ratelimit.test.app.QuoteApplication;
import io.github.ratelimit.test.app.QuoteController;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

import static io.github.ratelimit.test.RateLimitAssertions.assertThatCall;
import static org.assertj.core.api.Assertions.assertThat;

class SliceBeansTests {

	@Nested
	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@AutoConfigureRateLimits
	class WithoutTheBeans {

		@Autowired
		MockMvcTester mvc;

		@Test
		void startsAndLimitsWhatNeedsNoBean() {
			assertThat(this.mvc.get().uri("/quotes")).hasStatusOk();
		}

		@Test
		void failsCallsThatNeedABeanAndNamesPolicyAndRemedy() {
			MvcTestResult call = this.mvc.get().uri("/account").exchange();
			assertThat(call.getUnresolvedException()).rootCause()
				.isInstanceOf(IllegalStateException.class)
				.hasMessage("A call needs the KeyResolver bean 'staff' of policy 'accounts', which this slice lacks: "
						+ "add its class to the test with @Import, or a bean of that name");
		}

	}

	@Nested
	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@Import(WithoutThePlan.Keys.class)
	@AutoConfigureRateLimits
	class WithoutThePlan {

		@Autowired
		MockMvcTester mvc;

		@Test
		void namesTheBeanOfThePlan() {
			MvcTestResult call = this.mvc.get().uri("/account").header("X-Account", "ada").exchange();
			assertThat(call.getUnresolvedException()).rootCause()
				.hasMessageStartingWith("A call needs the PlanResolver bean 'accountPlan' of policy 'accounts'");
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Keys {

			@Bean
			KeyResolver account() {
				return (call) -> "ada";
			}

			@Bean
			KeyResolver staff() {
				return (call) -> "false";
			}

		}

	}

	@Nested
	@WebMvcTest(QuoteController.class)
	@ContextConfiguration(classes = QuoteApplication.class)
	@Import(Accounts.class)
	@AutoConfigureRateLimits
	class WithTheBeans {

		@Autowired
		MockMvcTester mvc;

		@Test
		void usesThem(@Autowired TestRateLimits limits, @Autowired PlanResolver plan) {
			assertThat(plan).isNotNull();
			limits.exhaust("accounts", "bean:account:ada", "premium");
			assertThatCall(this.mvc.get().uri("/account").header("X-Account", "ada").header("X-Plan", "premium"))
				.isRateLimited()
				.by("accounts");
			assertThat(this.mvc.get().uri("/account").header("X-Account", "bob")).hasStatusOk();
		}

	}

	@Nested
	@SpringBootTest(classes = QuoteApplication.class)
	@AutoConfigureRateLimits
	class WholeApplication {

		@Test
		void hasAllBeans(@Autowired TestRateLimits limits) {
			assertThat(limits.remaining("accounts", "bean:account:ada", "premium")).isEqualTo(5);
		}

	}

}
