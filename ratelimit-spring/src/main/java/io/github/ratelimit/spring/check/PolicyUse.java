package io.github.ratelimit.spring.check;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A use of policies that neither rules nor annotations show, by the configuration of
 * another module.
 */
@FunctionalInterface
public interface PolicyUse {

	/**
	 * Returns the properties or routes that use policies.
	 * @return places by the names of policies
	 */
	Map<String, ? extends Collection<String>> byPolicy();

	/**
	 * Returns the use of policies by one place, which may change.
	 * @param place the property or route
	 * @param policies supplies the names of the policies
	 * @return the use
	 */
	static PolicyUse of(String place, Supplier<? extends Collection<String>> policies) {
		return () -> of(place, policies.get()).byPolicy();
	}

	/**
	 * Returns the use of policies by one place.
	 * @param place the property or route
	 * @param policies the names of the policies
	 * @return the use
	 */
	static PolicyUse of(String place, Collection<String> policies) {
		Map<String, List<String>> byPolicy = policies.stream()
			.distinct()
			.collect(Collectors.toUnmodifiableMap((policy) -> policy, (policy) -> List.of(place)));
		return () -> byPolicy;
	}

}
