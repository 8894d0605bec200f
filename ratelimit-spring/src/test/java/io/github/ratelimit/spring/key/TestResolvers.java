package io.github.ratelimit.spring.key;

import java.util.List;

import io.github.ratelimit.CompositeListener;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.spring.finding.Findings;

/** Key resolvers of tests. */
public final class TestResolvers {

	/** Beans that resolve nothing. */
	public static final CallerBeans NO_BEANS = new CallerBeans((name) -> (call) -> null,
			(name) -> (policy, key, call) -> null, (name) -> (policy, key, call) -> null);

	private TestResolvers() {
	}

	/** Returns the resolvers of an application without proxies and beans. */
	public static KeyResolvers create() {
		return trusting();
	}

	/** Returns the resolvers of an application that trusts proxies. */
	public static KeyResolvers trusting(String... proxies) {
		return new KeyResolvers(() -> new ClientIp(List.of(proxies), 64), NO_BEANS, List.of(),
				() -> new CompositeListener(List.of()), new Findings(List.of()));
	}

}
