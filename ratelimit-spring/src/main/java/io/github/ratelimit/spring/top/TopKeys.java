package io.github.ratelimit.spring.top;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.github.ratelimit.Charge;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.spring.key.KnownKeys;
import io.github.ratelimit.store.RateLimitStoreException;
import org.jspecify.annotations.Nullable;

/**
 * A listener that counts which keys of each policy are denied most, in shadow too, and
 * spend most. Thread-safe.
 */
public final class TopKeys implements RateLimitListener, KnownKeys {

	/** The longest time to wait for the reports of other instances. */
	private static final Duration LONGEST = Duration.ofMillis(500);

	private final Map<String, PolicyTop> byPolicy = new ConcurrentHashMap<>();

	private final TopExchange exchange;

	private final OtherInstances others;

	private final boolean showKeys;

	private final LongSupplier nanoTime;

	private Map<String, TopReport> published = Map.of();

	/**
	 * Creates a listener.
	 * @param exchange the exchange with other instances
	 * @param showKeys whether reports show keys, rather than digests of keys
	 * @param nanoTime the time in nanoseconds, as of {@link System#nanoTime}
	 */
	public TopKeys(TopExchange exchange, boolean showKeys, LongSupplier nanoTime) {
		this.exchange = exchange;
		this.others = new OtherInstances(exchange, LONGEST);
		this.showKeys = showKeys;
		this.nanoTime = nanoTime;
	}

	@Override
	public void decided(List<Charge> charges, Decision decision, long elapsedNanos) {
		long now = this.nanoTime.getAsLong();
		for (Charge charge : charges) {
			if (decision.allowed()) {
				spend(charge, now);
				if (decision.isShadowDeniedBy(charge.policy(), charge.key())) {
					top(charge.policy(), now).denyInShadow(charge.key(), now);
				}
			}
			else if (decision.isDeniedBy(charge.policy(), charge.key())) {
				top(charge.policy(), now).deny(charge.key(), now);
			}
		}
	}

	@Override
	public void failed(List<Charge> charges, RateLimitStoreException failure, @Nullable Decision instead,
			long elapsedNanos) {
		if (instead != null) {
			decided(charges, instead, elapsedNanos);
		}
	}

	/**
	 * Returns the top keys of a policy on all instances. Other instances are a few
	 * seconds behind; without their reports, it is of this instance alone.
	 * @param policy the policy's name
	 * @return the report
	 */
	public TopReport report(String policy) {
		return Objects.requireNonNull(reports(List.of(policy)).get(policy));
	}

	/**
	 * Returns the top keys of several policies on all instances, or after half a second
	 * on this instance alone.
	 * @param policies the names of the policies
	 * @return the reports by policies, in their order
	 */
	public Map<String, TopReport> reports(Collection<String> policies) {
		Map<String, List<TopReport>> others = this.others.reports(policies);
		Map<String, TopReport> reports = new LinkedHashMap<>();
		for (String policy : policies) {
			List<TopReport> all = new ArrayList<>(List.of(local(policy)));
			all.addAll((others != null) ? others.getOrDefault(policy, List.of()) : List.of());
			TopReport merged = TopReport.merge(all, PolicyTop.MOST);
			reports.put(policy, (others != null) ? merged : merged.incomplete());
		}
		return reports;
	}

	/**
	 * Finds a key that this instance has counted lately and that is short enough to be
	 * kept. It computes digests only to find a digest, as they take long.
	 */
	@Override
	public Optional<String> find(String policy, String key) {
		PolicyTop top = this.byPolicy.get(policy);
		Predicate<String> isKey = KeyDigest.isInPlace(key)
				? (counted) -> !KeyDigest.isInPlace(counted) && KeyDigest.inPlaceOf(counted).equals(key) : key::equals;
		return (top != null) ? top.find(isKey) : Optional.empty();
	}

	/** Publishes what this instance has counted. Throws if the exchange fails. */
	public synchronized void publish() {
		Map<String, TopReport> reports = new HashMap<>();
		for (String policy : this.byPolicy.keySet()) {
			TopReport report = local(policy);
			if (!report.isEmpty()) {
				reports.put(policy, report.unlessLike(this.published.get(policy)));
			}
		}
		this.published = reports;
		Map<String, String> texts = new HashMap<>();
		reports.forEach((policy, report) -> texts.put(policy, TopText.write(report)));
		if (!texts.isEmpty()) {
			this.exchange.publish(texts);
		}
	}

	private TopReport local(String policy) {
		long now = this.nanoTime.getAsLong();
		TopReport report = top(policy, now).report(now);
		return this.showKeys ? report : report.named(KeyDigest::inPlaceOf);
	}

	private void spend(Charge charge, long now) {
		if (charge.cost() > 0) {
			top(charge.policy(), now).spend(charge.key(), charge.cost(), now);
		}
	}

	private PolicyTop top(String policy, long now) {
		PolicyTop known = this.byPolicy.get(policy);
		return (known != null) ? known : this.byPolicy.computeIfAbsent(policy, (unknown) -> new PolicyTop(now));
	}

}
