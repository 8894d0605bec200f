package io.github.ratelimit.sample.docs;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.PlanResolver;
import io.github.ratelimit.policy.LimitOverrides;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.sample.docs.Digest.Registered;
import io.github.ratelimit.sample.docs.Reports.Upload;
import io.github.ratelimit.sample.docs.Reports.User;
import io.github.ratelimit.sample.docs.StoredPolicies.PolicyTable;
import io.github.ratelimit.spring.client.RateLimitedClients;
import io.github.ratelimit.spring.client.RateLimitedWebClients;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the code that the documentation shows.
 */
@Tag("long")
class SnippetTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class, TenantKeys.class, QuotaAdvice.class, DenialCounter.class,
				DeniedKeys.class, ContractPlans.class)
		.withBean(Reports.class)
		.withBean(Accounts.class)
		.withBean(Prices.class)
		.withBean(Mailer.class)
		.withBean(Exports.class)
		.withBean(ReportController.class)
		.withBean(Answers.class)
		.withPropertyValues("spring.profiles.active=docs", "ratelimit.store=memory", "ratelimit.events.enabled=true",
				"ratelimit.policies.reports.limits=1/1m", "ratelimit.policies.reports.key=bean:tenant",
				"ratelimit.policies.uploads.limits=10/1m", "ratelimit.policies.accounts.limits=3/1m",
				"ratelimit.policies.prices.limits=1/1m", "ratelimit.policies.mails.limits=3/1m",
				"ratelimit.policies.mails-per-user.limits=1/1m", "ratelimit.policies.partner.limits=1/1m",
				"ratelimit.policies.digest.limits=1/5m", "ratelimit.policies.welcome.limits=1/1m",
				"ratelimit.policies.exports.limits=1 concurrent", "ratelimit.policies.large-model.limits=1/1m",
				"ratelimit.policies.large-model.mode=shadow");

	@Test
	void asksTheSmallModelOnceTheLimitOfTheLargeOneIsUsedUp() {
		this.runner.run((context) -> {
			MockMvcTester mvc = MockMvcTester.from(context);
			for (String model : new String[] { "large", "small", "small" }) {
				assertThat(mvc.post()
					.uri("/answers")
					.contentType(MediaType.APPLICATION_JSON)
					.content("{\"text\": \"why\"}")).hasStatusOk().bodyText().contains(model);
			}
		});
	}

	@Test
	void keepsAuditEventsOfControlsWhateverElseIsAudited() {
		ControlEvents events = new ControlEvents();
		events.add(new AuditEvent("ada", "RATE_LIMIT_BAN"));
		for (int request = 0; request < 2_000; request++) {
			events.add(new AuditEvent("ada", "AUTHENTICATION_SUCCESS"));
		}
		assertThat(events.find(null, null, null)).extracting(AuditEvent::getType).containsExactly("RATE_LIMIT_BAN");
	}

	@Test
	void limitsByTheAttributesOfTheAnnotation() {
		this.runner.run((context) -> {
			Reports reports = context.getBean(Reports.class);
			for (int i = 0; i < 5; i++) {
				reports.monthly(new User("ada"));
			}
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> reports.monthly(new User("ada")));
			assertThat(reports.monthly(new User("bob"))).isNotEmpty();
			reports.upload(new Upload(9 * 1024 + 1));
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> reports.upload(new Upload(1)));
			assertThat(reports.yearly() + reports.yearly()).isNotEmpty();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(reports::yearly);
		});
	}

	@Test
	void limitsByClassMethodAndMetaAnnotation() {
		this.runner.run((context) -> {
			Accounts accounts = context.getBean(Accounts.class);
			assertThat(accounts.close("a") + accounts.close("a")).isNotEmpty();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> accounts.close("a"));
			assertThat(accounts.export()).isNotEmpty();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> accounts.open("b"));
		});
	}

	@Test
	void limitsEachSubscription() {
		this.runner.run((context) -> {
			Prices prices = context.getBean(Prices.class);
			var latest = prices.latest();
			assertThat(latest.block()).isEqualTo(42);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(latest::block);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> prices.all().blockLast());
			assertThat(prices.average()).isCompletedExceptionally();
		});
	}

	@Test
	void limitsHowManyRunAtATime() {
		this.runner.run((context) -> {
			Exports exports = context.getBean(Exports.class);
			assertThat(exports.export("acme", () -> exports.export("other", () -> "a file"))).isEqualTo("a file");
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> exports.export("acme", () -> exports.export("acme", () -> "a file")));
			assertThat(exports.export("acme", () -> "a file")).isEqualTo("a file");
		});
	}

	@Test
	void limitsByHand() {
		this.runner.run((context) -> {
			Mailer mailer = context.getBean(Mailer.class);
			mailer.send("acme", List.of("a", "b"));
			assertThat(mailer.left("acme")).isOne();
			assertThat(mailer.sendWithin("acme", "ada")).isTrue();
			assertThat(mailer.sendLater("acme").toCompletableFuture()).isCompletedWithValue(false);
			mailer.forgive("acme");
			String token = mailer.enqueue("acme", 3);
			assertThat(mailer.sent(token, 1)).isTrue();
			assertThat(mailer.sent(token, 3)).isFalse();
			assertThat(mailer.left("acme")).isEqualTo(2);
			mailer.forgive("acme");
			mailer.sendAtUnknownCost("acme", 3, () -> 1);
			assertThat(mailer.left("acme")).isEqualTo(2);
			assertThat(mailer.sendPatiently("acme")).isTrue();
			assertThat(context.getBean(DeniedKeys.class).keys()).hasSize(1);
			assertThat(context.getBean(DenialCounter.class).denials()).isOne();
			assertThat(WithoutSpring.limiter().acquire(new Charge("mails", "acme", 20)).allowed()).isTrue();
		});
	}

	@Test
	void knowsPlansByKey() {
		this.runner.run((context) -> {
			PlanResolver contracts = context.getBean(PlanResolver.class);
			CallContext call = new CallContext(Caller.NONE, Map.of());
			assertThat(contracts.resolve("exports", "principal:alice", call)).isEqualTo("premium");
			assertThat(contracts.resolve("exports", "principal:bob", call)).isEqualTo("free");
		});
	}

	@Test
	void limitsListeners() {
		this.runner.withBean(Digest.class).run((context) -> {
			context.publishEvent(new Registered("acme"));
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> context.publishEvent(new Registered("acme")));
			Digest digest = context.getBean(Digest.class);
			digest.sendDigest();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(digest::sendDigest);
			assertThat(digest.sent()).isEqualTo(2);
		});
	}

	@Test
	void knowsLimitsOfSingleCallers() {
		LimitOverrides negotiated = new NegotiatedLimits().negotiated(Map.of("principal:alice", "50/1h"));
		assertThat(negotiated.of("exports", "principal:alice")).singleElement().hasToString("50/1h");
		assertThat(negotiated.of("exports", "principal:bob")).isEmpty();
	}

	@Test
	void addsPoliciesOfATable() {
		PolicyTable table = () -> List.of(new PolicyTable.Row("stored", "100/1m,1000/1d", "principal"));
		this.runner.withUserConfiguration(StoredPolicies.class)
			.withBean(PolicyTable.class, () -> table)
			.run((context) -> assertThat(context.getBean(Policies.class).get("stored")).satisfies((policy) -> {
				assertThat(policy.limits()).hasToString("[100/1m, 1000/1d]");
				assertThat(policy.keys()).containsExactly("principal");
			}));
	}

	@Test
	void limitsOutboundCalls() {
		this.runner.run((context) -> {
			Partners partners = new Partners();
			RestClient client = partners.restClient(context.getBean(RateLimitedClients.class));
			String nowhere = "http://localhost:1/";
			assertThatExceptionOfType(ResourceAccessException.class)
				.isThrownBy(() -> client.get().uri(nowhere).retrieve().toBodilessEntity());
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> client.get().uri(nowhere).retrieve().toBodilessEntity());
			RestClient perTenant = partners.perTenant(context.getBean(RateLimitedClients.class));
			assertThatExceptionOfType(ResourceAccessException.class)
				.isThrownBy(() -> perTenant.get().uri(nowhere).header("X-Tenant", "a").retrieve().toBodilessEntity());
			WebClient reactive = partners.webClient(context.getBean(RateLimitedWebClients.class));
			assertThatExceptionOfType(RateLimitExceededException.class)
				.isThrownBy(() -> reactive.get().uri(nowhere).retrieve().toBodilessEntity().block());
		});
	}

	@Test
	void answersInTheApplicationsOwnWords() {
		this.runner.run((context) -> {
			MockMvcTester mvc = MockMvcTester.from(context);
			assertThat(mvc.get().uri("/reports").principal(() -> "ada@example.org")).hasStatusOk();
			assertThat(mvc.get().uri("/reports").principal(() -> "ada@example.com")).hasStatusOk();
			assertThat(mvc.get().uri("/reports").principal(() -> "bob@example.org")).hasStatus(429)
				.bodyText()
				.contains("too many calls");
		});
	}

	@Profile("docs")
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Profile("docs")
	@RestController
	static class ReportController {

		private final Reports reports;

		ReportController(Reports reports) {
			this.reports = reports;
		}

		@GetMapping("/reports")
		String daily() {
			return this.reports.daily();
		}

	}

}
