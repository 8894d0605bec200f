package io.github.ratelimit.autoconfigure.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.store.StoreChoice.Basis;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.store.memory.MemoryRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The kinds of stores of which an application uses one.
 *
 * @param shared those that instances share
 * @param memory the stores of an instance that is alone
 */
record StoreKinds(List<SharedStore> shared, Stores memory) {

	private static final String PROPERTY = "ratelimit.store";

	private static final String NONE = "Spring Data Redis is not on the class path "
			+ "(to share counts, add 'spring-boot-starter-data-redis')";

	/**
	 * Chooses stores.
	 * @param configured the configured name, if any
	 */
	StoreChoice choose(@Nullable String configured) {
		return StringUtils.hasText(configured)
				? new StoreChoice(named(configured), "'" + PROPERTY + "' is set", Basis.PROPERTY) : byEvidence();
	}

	/**
	 * Chooses the stores of what else is kept next to a store of the application.
	 * @param configured the configured name, if any
	 */
	StoreChoice chooseNextToOwn(@Nullable String configured) {
		String reason = "the application has a RateLimitStore bean";
		return StringUtils.hasText(configured) ? new StoreChoice(named(configured), reason, Basis.PROPERTY)
				: new StoreChoice(this.memory, reason, Basis.OWN_STORE);
	}

	private StoreChoice byEvidence() {
		List<SharedStore> found = this.shared.stream().filter((store) -> store.evidence().isFound()).toList();
		if (found.size() > 1) {
			throw new InvalidRateLimitConfigurationException(
					"There are several stores to count in: " + found.stream()
						.map((store) -> "'" + store.name() + "', as " + store.evidence().clause())
						.collect(Collectors.joining(", and ")),
					"Set '" + PROPERTY + "' to the one for rate limits, or to 'memory'.", null);
		}
		return found.isEmpty() ? new StoreChoice(this.memory, nothingFound(), Basis.NOTHING)
				: new StoreChoice(found.get(0).stores(), found.get(0).evidence().clause(), Basis.EVIDENCE);
	}

	private String nothingFound() {
		return this.shared.isEmpty() ? NONE
				: this.shared.stream().map((store) -> store.evidence().clause()).collect(Collectors.joining(", and "));
	}

	private Stores named(String name) {
		return MemoryRateLimitStore.NAME.equalsIgnoreCase(name) ? this.memory
				: this.shared.stream()
					.filter((store) -> store.name().equalsIgnoreCase(name))
					.findFirst()
					.orElseThrow(() -> unknown(name))
					.stores();
	}

	private InvalidRateLimitConfigurationException unknown(String name) {
		return new InvalidRateLimitConfigurationException(
				"The property '" + PROPERTY + "' has the value '" + name + "', but there is no such store; there is "
						+ Stream
							.concat(Stream.of(MemoryRateLimitStore.NAME), this.shared.stream().map(SharedStore::name))
							.collect(Collectors.joining(", ")),
				"Correct the property '" + PROPERTY + "', or add the library of this store: "
						+ "'spring-boot-starter-data-redis' for 'redis', 'ratelimit-jdbc' for 'jdbc'.",
				null);
	}

}
