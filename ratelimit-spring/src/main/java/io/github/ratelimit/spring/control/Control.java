package io.github.ratelimit.spring.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.EnforcedShare;
import io.github.ratelimit.policy.EnforcementMode;
import io.github.ratelimit.policy.OnStoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A rule that an operator, or the limiter itself, sets while the application runs.
 * Immutable.
 */
public sealed interface Control {

	/**
	 * Returns the kind of control.
	 * @return a lower case word
	 */
	default String kind() {
		return kind(getClass());
	}

	/**
	 * Returns the kind of the controls of a type.
	 * @param type the type
	 * @return a lower case word
	 */
	static String kind(Class<? extends Control> type) {
		return type.getSimpleName().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the name of the policy.
	 * @return a policy's name; {@code null} for all policies
	 */
	@Nullable String policy();

	/**
	 * Returns who is controlled.
	 * @return a key of the policy, such as {@code principal:alice}, or a caller;
	 * {@code null} for all callers of the policy
	 */
	@Nullable String subject();

	/**
	 * Returns what the control sets.
	 * @return values by names, nothing if that follows from the kind
	 */
	default Map<String, @Nullable Object> effect() {
		return Map.of();
	}

	/**
	 * Returns the name of the control among those of its kind, which shows no key. A
	 * later control of the same kind, name and begin replaces this one.
	 * @return letters, digits, dots, underscores and hyphens
	 */
	default String name() {
		return Stream.of(Optional.ofNullable(policy()), Optional.ofNullable(subject()).map(KeyDigest::of))
			.flatMap(Optional::stream)
			.collect(Collectors.joining("-"));
	}

	/**
	 * A control of one key of a policy.
	 */
	sealed interface OfKey extends Control {

		@Override
		String policy();

		/**
		 * Returns the key.
		 * @return a key, such as {@code principal:alice}
		 */
		String key();

		/**
		 * Returns the same control of another key.
		 * @param other the other key
		 * @return a control of the same kind, policy and effect
		 */
		OfKey withKey(String other);

		@Override
		default String subject() {
			return key();
		}

	}

	/**
	 * Refuses all calls of a key.
	 *
	 * @param policy the policy's name
	 * @param key the key
	 */
	record Ban(String policy, String key) implements OfKey {

		@Override
		public OfKey withKey(String other) {
			return new Ban(this.policy, other);
		}

	}

	/**
	 * Refuses all calls of a caller, whatever policy limits them.
	 *
	 * @param caller {@code ip:RANGE} or {@code principal:NAME}
	 */
	record Block(String caller) implements Control {

		@Override
		public @Nullable String policy() {
			return null;
		}

		@Override
		public String subject() {
			return this.caller;
		}

	}

	/**
	 * Gives a key limits of its own, on the same counts.
	 *
	 * @param policy the policy's name
	 * @param key the key
	 * @param limits a replacement for each limit of the policy, as in configuration
	 */
	record Limits(String policy, String key, List<String> limits) implements OfKey {

		/**
		 * Copies the limits.
		 * @param policy the policy's name
		 * @param key the key
		 * @param limits a replacement for each limit of the policy
		 */
		public Limits {
			limits = List.copyOf(limits);
		}

		@Override
		public Map<String, @Nullable Object> effect() {
			return Map.of("limits", this.limits);
		}

		@Override
		public OfKey withKey(String other) {
			return new Limits(this.policy, other, this.limits);
		}

	}

	/**
	 * Gives a key permits beyond its limits, once.
	 *
	 * @param policy the policy's name
	 * @param key the key
	 * @param permits how many, at least 1
	 */
	record Grant(String policy, String key, long permits) implements OfKey {

		@Override
		public Map<String, @Nullable Object> effect() {
			return Map.of("permits", this.permits);
		}

		@Override
		public OfKey withKey(String other) {
			return new Grant(this.policy, other, this.permits);
		}

	}

	/**
	 * Pauses the calls that the application makes to an upstream.
	 *
	 * @param policy the name of the policy of outbound calls
	 * @param key the key of the upstream
	 */
	record Pause(String policy, String key) implements OfKey {

		@Override
		public OfKey withKey(String other) {
			return new Pause(this.policy, other);
		}

	}

	/**
	 * Makes all instances forget a key that was reset.
	 *
	 * @param policy the policy's name
	 * @param key the key, or its digest
	 */
	record Reset(String policy, String key) implements OfKey {

		@Override
		public OfKey withKey(String other) {
			return new Reset(this.policy, other);
		}

	}

	/**
	 * Changes a policy.
	 *
	 * @param policy the policy's name
	 * @param limits a replacement for each limit of the policy; empty to keep them
	 * @param mode the effect of the limits; {@code null} to keep it
	 * @param enforce the keys for which the limits are enforced; {@code null} to keep
	 * them, or for all if a policy in shadow is to be enforced
	 * @param onStoreFailure the fate of calls while the store fails; {@code null} to keep
	 * it
	 */
	record Change(String policy, List<String> limits, @Nullable EnforcementMode mode, @Nullable EnforcedShare enforce,
			@Nullable OnStoreFailure onStoreFailure) implements Control {

		/**
		 * Copies the limits.
		 * @param policy the policy's name
		 * @param limits a replacement for each limit of the policy
		 * @param mode the effect of the limits
		 * @param enforce the keys for which the limits are enforced
		 * @param onStoreFailure the fate of calls while the store fails
		 */
		public Change {
			limits = List.copyOf(limits);
		}

		/**
		 * Creates a change of limits and modes.
		 * @param policy the policy's name
		 * @param limits a replacement for each limit of the policy
		 * @param mode the effect of the limits
		 * @param onStoreFailure the fate of calls while the store fails
		 */
		public Change(String policy, List<String> limits, @Nullable EnforcementMode mode,
				@Nullable OnStoreFailure onStoreFailure) {
			this(policy, limits, mode, null, onStoreFailure);
		}

		@Override
		public @Nullable String subject() {
			return null;
		}

		@Override
		public Map<String, @Nullable Object> effect() {
			Map<String, @Nullable Object> effect = new LinkedHashMap<>();
			effect.put("limits", this.limits.isEmpty() ? null : this.limits);
			effect.put("mode", this.mode);
			effect.put("enforce", Objects.toString(this.enforce, null));
			effect.put("onStoreFailure", this.onStoreFailure);
			effect.values().removeIf(Objects::isNull);
			return effect;
		}

	}

}
