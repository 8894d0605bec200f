package io.github.ratelimit.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.ratelimit.pairs.Row.Event;
import io.github.ratelimit.pairs.Row.Feature;
import io.github.ratelimit.pairs.Row.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A request, from its decisions to its end.
 */
final class ModelCall {

	private static final Response REFUSED = new Response(403, Map.of(), false);

	private final Row row;

	private final Model model;

	private final Request request;

	private final Map<String, Long> remaining = new TreeMap<>();

	private final List<Long> inShadow = new ArrayList<>();

	private final List<Runnable> endings = new ArrayList<>();

	ModelCall(Row row, Model model, Request request) {
		this.row = row;
		this.model = model;
		this.request = request;
	}

	/** Decides all parts at once, and ends the request. */
	Expected decide(List<Part> parts) {
		Response rejection = rejection(parts);
		Response response = (rejection != null) ? rejection
				: new Response(this.request.status(), this.remaining, false);
		List<List<Long>> seen = (response.status() == 200) ? List.of(this.model.remaining(this.row.varied()))
				: List.of();
		boolean isHandled = rejection == null && this.request != Request.UNBINDABLE;
		List<List<Long>> inShadow = isHandled ? List.of(this.inShadow.stream().sorted().toList()) : List.of();
		this.endings.forEach(Runnable::run);
		return new Expected(response, seen, inShadow);
	}

	/** Charges all parts, or returns the response to a rejected request. */
	private @Nullable Response rejection(List<Part> parts) {
		for (Part part : parts) {
			String refusal = refusal(part);
			if (refusal != null) {
				this.model.note(part, refusal);
				return REFUSED;
			}
		}
		List<Part> limited = parts.stream().filter(this::isLimited).toList();
		if (this.model.isFailing() && this.row.event() == Event.STORE_FAILS_DENY
				&& !limited.stream().allMatch(this.model::isShadow)) {
			limited.forEach((part) -> this.model.note(part, "failed_closed"));
			return new Response(503, Map.of(), true);
		}
		List<Part> denying = limited.stream().filter(this::isDenied).toList();
		if (!denying.stream().allMatch(this::isGranted)) {
			return denial(limited, denying);
		}
		limited.forEach((part) -> charge(part, denying.contains(part)));
		return null;
	}

	/** Returns why the caller of a charge is refused, or null. */
	private @Nullable String refusal(Part part) {
		if (part.isVaried() && this.request == Request.OF_BLOCKED_CALLER) {
			return "blocked";
		}
		return (this.model.isBanned(part) && this.row.feature() != Feature.EXEMPT) ? "banned" : null;
	}

	private boolean isLimited(Part part) {
		if (part.isVaried() && this.row.feature().isUnlimited()) {
			this.model.note(part, "skipped");
			return false;
		}
		return true;
	}

	private boolean isDenied(Part part) {
		return !this.model.isShadow(part) && !this.model.isUndecided(part)
				&& !this.model.counts().of(part).hasRoom(cost(part));
	}

	private boolean isGranted(Part part) {
		return part.equals(this.row.varied()) && this.model.grant().hasRoom(nominalCost());
	}

	private Response denial(List<Part> limited, List<Part> denying) {
		for (Part part : limited) {
			this.model.note(part, denying.contains(part) ? "denied" : "not_charged");
			if (!this.model.isShadow(part)) {
				this.remaining.put(name(part), this.model.counts().of(part).remaining());
			}
		}
		return new Response(429, this.remaining, true);
	}

	private void charge(Part part, boolean granted) {
		long cost = part.isVaried() ? nominalCost() : 1;
		this.model.consume(part, cost, 1);
		this.endings.add(() -> this.model.consume(part, (part.isVaried() ? paid(cost) : cost) - cost, 0));
		if (this.model.isUndecided(part)) {
			this.model.note(part, "failed_open");
		}
		else if (granted) {
			this.model.note(part, "allowed");
			this.model.grant().add(nominalCost());
			this.endings.add(() -> this.model.grant().add(paid(nominalCost()) - nominalCost()));
			this.remaining.put(name(part), this.model.grant().remaining());
		}
		else if (this.model.isShadow(part) && !this.model.counts().of(part).hasRoom(cost(part))) {
			this.model.note(part, "shadow_denied");
			this.inShadow.add(this.model.counts().of(part).remaining());
		}
		else {
			spend(part);
		}
	}

	private void spend(Part part) {
		Count count = this.model.counts().of(part);
		boolean candidate = this.model.spend(part, cost(part)) && this.model.hasCandidate(part);
		spent(part, count);
		if (candidate) {
			spent(part, this.model.counts().candidate(part));
		}
		if (this.model.isShadow(part)) {
			this.inShadow.add(count.remaining());
		}
		else {
			this.remaining.put(name(part), count.remaining());
		}
		if (this.model.hasCandidate(part)) {
			this.inShadow.add(this.model.counts().candidate(part).remaining());
		}
	}

	/** Adjusts a count when the call has ended. */
	private void spent(Part part, Count count) {
		this.endings.add(() -> count.add(paid(part) - cost(part)));
	}

	private String name(Part part) {
		return part.policy() + ((part.isVaried() && !part.equals(this.row.varied())) ? ":2" : "");
	}

	/** Returns what a charge spends: a call holds one permit, whatever it costs. */
	private long cost(Part part) {
		return (part.isVaried() && this.row.kind() != Kind.CONCURRENCY) ? nominalCost() : 1;
	}

	private long nominalCost() {
		return (this.row.feature() == Feature.CLAMP) ? 1 : 2;
	}

	/** Returns the permits of a charge that remain spent. */
	private long paid(Part part) {
		if (!part.isVaried()) {
			return 1;
		}
		return (this.row.kind() == Kind.CONCURRENCY) ? 0 : paid(nominalCost());
	}

	private long paid(long cost) {
		boolean failed = this.request == Request.FAILING;
		return switch (this.row.outcome()) {
			case NONE -> cost;
			case ACTUAL -> 1;
			case CHARGE_ON, CHARGE_WHEN -> failed ? cost : 0;
			case REFUND_ON, REFUND_WHEN -> failed ? 0 : cost;
		};
	}

}
