package io.github.ratelimit.spring.control;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.spring.ForkedHeap;
import io.github.ratelimit.spring.control.Control.Ban;
import io.github.ratelimit.spring.control.ControlStore.Changes;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;

/**
 * A measurement of the memory that 10,000 bans take up on an instance, beside their
 * store.
 */
final class ControlMemory {

	static final int BANS = 10_000;

	private ControlMemory() {
	}

	public static void main(String[] arguments) {
		ControlledInstance instance = new ControlledInstance(new MemoryRateLimitStore(10),
				new MemoryControlStore(Instant::now));
		KnownControls known = new KnownControls(new ControlEffects(instance.policies(), instance.keys().bans(),
				new MemoryRateLimitStore(10), (event) -> {
				}, (policy, key) -> {
				}));
		known.apply(changes(1));
		long before = ForkedHeap.used();
		known.apply(changes(BANS));
		long bytes = ForkedHeap.used() - before;
		if (known.inEffect().size() != BANS || !instance.policies().controls().of("site", key(0)).banned()) {
			throw new IllegalStateException("not all bans are in effect");
		}
		ForkedHeap.report(bytes);
	}

	private static Changes changes(int bans) {
		Map<String, String> texts = new HashMap<>();
		Instant now = Instant.parse("2026-11-22T10:00:00Z");
		for (int ban = 0; ban < bans; ban++) {
			ActiveControl active = new ActiveControl(new Ban("site", key(ban)), Origin.PENALTY, now, null,
					now.plusSeconds(600L + ban));
			texts.put(active.id(), ControlText.write(active));
		}
		return new Changes(new Revision("", 1, Map.of()), now, false, true, texts, List.of());
	}

	/** Returns addresses of IPv4 and, as often, networks of IPv6. */
	private static String key(int number) {
		return "client-ip:" + ((number % 2 == 0) ? "203.0." + number / 256 + '.' + number % 256
				: "2001:db8:1:" + Integer.toHexString(number) + "::/64");
	}

}
