package io.github.ratelimit.spring.ai;

import java.util.List;

import io.github.ratelimit.Charge;

/**
 * The charges of a caller, without their costs, as the context of a request carries them.
 * It has no text of its own, as that of a charge has the caller's key and contexts are
 * logged.
 */
final class ResolvedChat {

	private final List<Charge> charges;

	ResolvedChat(List<Charge> charges) {
		this.charges = charges;
	}

	List<Charge> charges() {
		return this.charges;
	}

}
