package io.github.ratelimit.spring.key;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.Caller;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class ProxiedClientsTests {

	private final Findings findings = new Findings(List.of());

	private final ProxiedClients resolver = new ProxiedClients(new ClientIp(List.of(), 64), this.findings);

	@Test
	void findsAProxyThatIsNotTrusted() {
		callByAProxy();
		assertThat(this.findings.all()).extracting(Finding::kind).containsExactly(Kind.UNTRUSTED_PROXY);
	}

	@Test
	void findsNothingWhileCallsAreFew() {
		IntStream.range(0, 99).forEach((call) -> call("10.0.0.1", "198.51.100." + call));
		assertThat(this.findings.all()).isEmpty();
	}

	@Test
	void findsNothingIfHeadersNameFewClients() {
		IntStream.range(0, 1000).forEach((call) -> call("10.0.0.1", "198.51.100." + call % 19));
		assertThat(this.findings.all()).isEmpty();
	}

	@Test
	void findsNothingIfClientsHaveManyAddresses() {
		IntStream.range(0, 1000).forEach((call) -> call("203.0.113." + call % 5, "198.51.100." + call % 200));
		assertThat(this.findings.all()).isEmpty();
	}

	@Test
	void findsNothingWithoutForwardedHeaders() {
		IntStream.range(0, 1000).forEach((call) -> call("10.0.0.1", null));
		assertThat(this.findings.all()).isEmpty();
	}

	@Test
	void observesNoRequestThatAnOperatorStates() {
		IntStream.range(0, 9)
			.mapToObj((peer) -> new StatedRequest("GET", "/", null, null, "203.0.113." + peer, new HttpHeaders(), null,
					Map.of()))
			.forEach((stated) -> this.resolver.resolve(new CallContext(stated, Map.of())));
		callByAProxy();
		assertThat(this.findings.all()).extracting(Finding::kind).containsExactly(Kind.UNTRUSTED_PROXY);
	}

	@Test
	void resolvesAsWithoutObservation() {
		assertThat(call("192.0.2.1", "198.51.100.1")).isEqualTo("192.0.2.1");
	}

	private void callByAProxy() {
		IntStream.range(0, 100).forEach((call) -> call("10.0.0." + call % 3, "198.51.100." + call % 20));
	}

	private @Nullable String call(String peer, @Nullable String forwarded) {
		return this.resolver.resolve(new CallContext(new Peer(peer, forwarded), Map.of()));
	}

	private record Peer(String address, @Nullable String forwarded) implements Caller {

		@Override
		public String remoteAddress() {
			return this.address;
		}

		@Override
		public @Nullable String header(String name) {
			return name.equals("X-Forwarded-For") ? this.forwarded : null;
		}

	}

}
