package io.github.ratelimit.spring.login;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Charge;
import io.github.ratelimit.decision.Decision;

/**
 * A look at the counts of a login before its password is checked.
 *
 * @param room the room that is left for a wrong password
 * @param left the permits that are left of each limit
 */
record Look(Room room, Decision left) {

	/** The look at a client who is banned. */
	static final Look BANNED = new Look(Room.SPENT, Decision.UNLIMITED);

	/** Returns the look of a login at the checks under way, and what is left then. */
	static Look of(List<Charge> charges, Decision checks, Decision left) {
		return new Look(Room.of(charges, checks, left), left);
	}

	/**
	 * Returns whether wrong passwords count that would charge the same, also in shadow.
	 */
	boolean isSpent(Charge charge) {
		return Stream.concat(this.left.limits().stream(), this.left.shadows().stream())
			.anyMatch(
					(limit) -> limit.isOf(charge.policy(), charge.key()) && limit.remaining() < limit.limit().burst());
	}

}
