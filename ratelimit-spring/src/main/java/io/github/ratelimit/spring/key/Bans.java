package io.github.ratelimit.spring.key;

import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.ratelimit.key.CallContext;
import io.github.ratelimit.key.ClientIp;
import org.jspecify.annotations.Nullable;

/**
 * The callers whom an operator has banned from all policies. Thread-safe.
 */
public final class Bans implements Predicate<CallContext> {

	private static final String IP = "ip:";

	private static final String PRINCIPAL = "principal:";

	private final Supplier<ClientIp> clientIp;

	private volatile Predicate<CallContext> current = (call) -> false;

	/**
	 * Creates an empty list of bans.
	 * @param clientIp supplies the address resolver if an address is banned
	 */
	public Bans(Supplier<ClientIp> clientIp) {
		this.clientIp = clientIp;
	}

	/**
	 * Checks the name of a caller.
	 * @param caller {@code ip:RANGE} or {@code principal:NAME}
	 * @throws IllegalArgumentException if it has another form or is everyone
	 */
	public static void check(String caller) {
		if (caller.startsWith(IP)) {
			ClientIp.requireNarrow(caller.substring(IP.length()));
		}
		else if (!caller.startsWith(PRINCIPAL) || caller.length() == PRINCIPAL.length()) {
			throw new IllegalArgumentException("a caller to ban is ip:RANGE or principal:NAME");
		}
	}

	/**
	 * Replaces all bans.
	 * @param callers the callers, each valid as by {@link #check}
	 */
	public void replace(Collection<String> callers) {
		Set<String> ranges = named(callers, IP);
		Set<String> principals = named(callers, PRINCIPAL);
		Predicate<CallContext> byPrincipal = (call) -> isAmong(principals, call.caller().principal());
		this.current = ranges.isEmpty() ? byPrincipal : byPrincipal.or(this.clientIp.get().withinAny(ranges));
	}

	@Override
	public boolean test(CallContext call) {
		return this.current.test(call);
	}

	private static boolean isAmong(Set<String> principals, @Nullable String principal) {
		return principal != null && principals.contains(principal);
	}

	private static Set<String> named(Collection<String> callers, String kind) {
		return callers.stream()
			.filter((caller) -> caller.startsWith(kind))
			.map((caller) -> caller.substring(kind.length()))
			.collect(Collectors.toUnmodifiableSet());
	}

}
