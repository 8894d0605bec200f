package io.github.ratelimit.spring.ai;

import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.BlockedCallerException;
import io.github.ratelimit.Charge;
import io.github.ratelimit.algorithm.Algorithm;
import io.github.ratelimit.algorithm.Limit;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.policy.CallerSelectors;
import io.github.ratelimit.policy.CallerSelectors.OwnPermits;
import io.github.ratelimit.policy.OnMissingKey;
import io.github.ratelimit.policy.Policy;
import io.github.ratelimit.policy.PolicyOptions;
import io.github.ratelimit.spring.key.ReactiveCallerSource;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallerTests {

	private static final List<String> ALICE = List.of("principal:alice");

	private final ChatFixture limits = new ChatFixture().with("requests", "5/1m").with("tokens", "1000/1m");

	private final StubModel model = StubModel.answering(StubModel.part(30, 70));

	@Test
	void chargesNothingToACallerWhomThePolicyExempts() {
		replace(tokens().withCallerSelectors(callers(ALICE, List.of())));
		this.limits.caller = () -> user("alice");
		CallTests.ask(this.limits.client(this.model));
		assertThat(this.limits.left("requests")).isEqualTo(4);
		assertThat(this.limits.left("tokens")).isEqualTo(1000);
		assertThat(this.limits.left("tokens", "exempt")).isEqualTo(1000);
	}

	@Test
	void keepsCountsOfUsersAndModelsApart() {
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of("#user.name + '|' + #model"))));
		this.limits.caller = () -> user("alice");
		CallTests.ask(this.limits.client(this.model));
		this.limits.caller = () -> user("bob");
		CallTests.ask(this.limits.client(this.model));
		assertThat(this.limits.left("tokens", "expression:alice|small")).isEqualTo(900);
		assertThat(this.limits.left("tokens", "expression:bob|small")).isEqualTo(900);
	}

	@Test
	void callsNoModelForACallerWhomThePolicyBlocks() {
		replace(tokens().withCallerSelectors(callers(List.of(), ALICE)));
		this.limits.caller = () -> user("alice");
		assertThatExceptionOfType(BlockedCallerException.class)
			.isThrownBy(() -> CallTests.ask(this.limits.client(this.model)));
		assertThat(this.model.calls()).isZero();
	}

	@Test
	void limitsNoCallsThatAllPoliciesSkip() {
		this.limits.policies
			.add(new Policy("users", List.of(Limit.parse("1000/1m", Algorithm.TOKEN_BUCKET)), List.of("principal"))
				.withOptions(PolicyOptions.STANDARD.withMissingKey(OnMissingKey.SKIP)));
		ChatClient client = ChatFixture.client(this.model,
				this.limits.clients().advisors(new ChatPolicies(List.of(), List.of("users"), List.of())));
		CallTests.ask(client);
		StreamTests.stream(client).blockLast(Duration.ofSeconds(20));
		assertThat(this.model.calls()).isEqualTo(2);
		assertThat(this.limits.left("users", "missing")).isEqualTo(1000);
	}

	/** A provider's nonsense counts up to what the caller may spend in an hour. */
	@Test
	void boundsWhatACallCostsByThePermitsThatItTells() {
		OwnPermits own = new OwnPermits("#user.name.length() * 400", 5000);
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of(Policy.EVERYONE)).withPermits(own)));
		this.limits.caller = () -> user("alice");
		CallTests.ask(this.limits.client(StubModel.answering(StubModel.part(30, 999_999))));
		Charge charge = new Charge("tokens", Policy.EVERYONE, 0).withPermits(2000L);
		assertThat(this.limits.limiter().peek(List.of(charge)).limits()).singleElement()
			.satisfies((limit) -> assertThat(limit.limit()).hasToString("2000/1m"))
			.satisfies((limit) -> assertThat(limit.resetAfterMicros()).isEqualTo(TimeUnit.HOURS.toMicros(1)));
	}

	@Test
	void chargesByPoliciesAsTheyAreNow() {
		ChatClient client = this.limits.client(this.model);
		CallTests.ask(client);
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of("principal"))));
		this.limits.caller = () -> user("alice");
		CallTests.ask(client);
		assertThat(this.limits.left("tokens", "principal:alice")).isEqualTo(900);
		assertThat(this.limits.left("tokens")).isEqualTo(900);
	}

	@Test
	void showsNoKeyToAdvisorsThatLogRequests() {
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of("principal"))));
		this.limits.caller = () -> user("alice");
		List<String> logged = new ArrayList<>();
		List<Advisor> advisors = new ArrayList<>(this.limits.clients().advisors("requests", "tokens"));
		advisors.add(new LoggingAdvisor(logged));
		CallTests.ask(ChatFixture.client(this.model, advisors));
		assertThat(logged).singleElement().asString().contains("ratelimit.charges").doesNotContain("alice");
		assertThat(this.limits.left("tokens", "principal:alice")).isEqualTo(900);
	}

	@Test
	void chargesTheCallerWhereAnotherAdvisorDropsTheContext() {
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of("principal"))));
		this.limits.caller = () -> user("alice");
		List<Advisor> advisors = new ArrayList<>(this.limits.clients().advisors("requests", "tokens"));
		advisors.remove(0);
		CallTests.ask(ChatFixture.client(this.model, advisors));
		assertThat(this.limits.left("tokens", "principal:alice")).isEqualTo(900);
	}

	@Test
	void chargesTheCallerOfAReactiveRequest() {
		replace(tokens().withCallerSelectors(new CallerSelectors(List.of("header:X-Tenant"))));
		ServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.get("/").header("X-Tenant", "acme"));
		StreamTests
			.stream(ChatFixture.client(this.model,
					this.limits.clients(new ReactiveCallerSource()).advisors("requests", "tokens")))
			.contextWrite((context) -> context.put(ServerWebExchangeContextFilter.EXCHANGE_CONTEXT_ATTRIBUTE, exchange))
			.blockLast(Duration.ofSeconds(20));
		assertThat(this.limits.left("tokens", "header:x-tenant:acme")).isEqualTo(900);
	}

	private Policy tokens() {
		return this.limits.policies.get("tokens");
	}

	private void replace(Policy policy) {
		this.limits.policies.replace(policy);
	}

	private static CallerSelectors callers(List<String> exempt, List<String> blocked) {
		return new CallerSelectors(List.of(Policy.EVERYONE), null, exempt, blocked);
	}

	static Caller user(String name) {
		return new Caller() {

			@Override
			public Principal user() {
				return () -> name;
			}

		};
	}

	/** An advisor that keeps the texts of requests. */
	private record LoggingAdvisor(List<String> logged) implements CallAdvisor {

		@Override
		public String getName() {
			return "logging";
		}

		@Override
		public int getOrder() {
			return 0;
		}

		@Override
		public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
			this.logged.add(request.toString());
			return chain.nextCall(request);
		}

	}

}
