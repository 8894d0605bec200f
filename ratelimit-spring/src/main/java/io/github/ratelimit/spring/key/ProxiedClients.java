package io.github.ratelimit.spring.key;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import io.github.ratelimit.key.KeyResolver;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import org.jspecify.annotations.Nullable;

/**
 * A resolver of client addresses that finds a proxy which is not trusted: many clients in
 * forwarded headers, but few addresses. It observes calls until that is decided, or until
 * a header was trusted.
 */
final class ProxiedClients implements KeyResolver {

	private static final String[] HEADERS = { "X-Forwarded-For", "Forwarded" };

	/** The addresses beyond which the calls do not come through proxies. */
	private static final int MOST_PROXIES = 4;

	private static final int FEWEST_CLIENTS = 20;

	private static final int FEWEST_CALLS = 100;

	private static final int MOST_CALLS = 10_000;

	private final ClientIp clientIp;

	private final Findings findings;

	private final AtomicInteger calls = new AtomicInteger();

	private final Set<String> addresses = ConcurrentHashMap.newKeySet();

	private final Set<String> clients = ConcurrentHashMap.newKeySet();

	private volatile boolean decided;

	ProxiedClients(ClientIp clientIp, Findings findings) {
		this.clientIp = clientIp;
		this.findings = findings;
	}

	@Override
	public @Nullable String resolve(CallContext context) {
		String address = this.clientIp.resolve(context);
		if (!this.decided && address != null && !(context.caller() instanceof StatedRequest)) {
			observe(address, context);
		}
		return address;
	}

	private void observe(String address, CallContext context) {
		if (!address.equals(context.caller().remoteAddress())) {
			decide();
			return;
		}
		this.addresses.add(address);
		if (this.clients.size() < FEWEST_CLIENTS) {
			Stream.of(HEADERS)
				.flatMap((header) -> Stream.ofNullable(context.caller().header(header)))
				.map((value) -> value.split(",", 2)[0])
				.forEach(this.clients::add);
		}
		int calls = this.calls.incrementAndGet();
		if (this.addresses.size() > MOST_PROXIES || calls > MOST_CALLS) {
			decide();
		}
		else if (calls >= FEWEST_CALLS && this.clients.size() >= FEWEST_CLIENTS) {
			decide();
			this.findings.add(new Finding(Kind.UNTRUSTED_PROXY, "client-ip",
					"Calls are limited by 'client-ip' and come from at most " + MOST_PROXIES
							+ " addresses, but name many clients in forwarded headers: a proxy is not trusted, and its "
							+ "clients share one count. Set 'ratelimit.http.trusted-proxies' to the addresses of your "
							+ "proxies."));
		}
	}

	private void decide() {
		this.decided = true;
		this.addresses.clear();
		this.clients.clear();
	}

}
