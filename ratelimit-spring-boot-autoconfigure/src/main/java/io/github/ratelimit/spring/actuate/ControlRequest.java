package io.github.ratelimit.spring.actuate;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.spring.control.ActiveControl.Outcome;
import io.github.ratelimit.spring.control.Control;
import io.github.ratelimit.spring.control.ControlFields;
import io.github.ratelimit.spring.control.ControlTime;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * A request to set a control: of one key, of several {@code keys} with commas between
 * them, or in all policies that have a key, by the policy {@code *}.
 *
 * @param controls the controls to set, each of one policy and key
 * @param refused the controls of keys, among several, that no policy has
 * @param time their begin and end
 * @param reason why they are set; {@code null} if that is not said
 * @param isSingle whether the request is of one policy and key
 */
record ControlRequest(List<Control> controls, List<Outcome> refused, ControlTime time, @Nullable String reason,
		boolean isSingle) {

	/** The name of all policies together, which no policy can have. */
	static final String ANY = "*";

	/** The most controls of a request, which the store takes in a moment. */
	private static final int MOST = 1_000;

	private static final String POLICY = "policy";

	private static final String KEY = "key";

	private static final String KEYS = "keys";

	/**
	 * Reads a request.
	 * @param kind the kind of control
	 * @param values the values by the names of fields
	 * @param policiesOf returns the keys of policies that have a key
	 * @throws IllegalArgumentException if a field is missing or unreadable, or no policy
	 * has the one key
	 */
	static ControlRequest of(String kind, Map<String, ? extends @Nullable Object> values,
			Function<String, Map<String, String>> policiesOf) {
		boolean any = ANY.equals(values.get(POLICY));
		if (!any && !values.containsKey(KEYS)) {
			ControlFields fields = ControlFields.of(kind, values);
			return new ControlRequest(List.of(fields.control()), List.of(), fields.time(), fields.reason(), true);
		}
		Set<String> keys = keys(values);
		List<ControlFields> each = keys.stream()
			.flatMap((key) -> any ? inAllPolicies(key, policiesOf.apply(key), values)
					: Stream.of(with(values, Map.of(KEY, key))))
			.limit(MOST + 1L)
			.map((fields) -> ControlFields.of(kind, fields))
			.toList();
		if (each.size() > MOST) {
			throw new IllegalArgumentException(
					"a request sets at most " + MOST + " controls, one for each key and policy");
		}
		return of(each.stream().map(ControlFields::control).toList(), each.get(0));
	}

	private static ControlRequest of(List<Control> controls, ControlFields fields) {
		List<Outcome> refused = controls.stream()
			.filter(ControlRequest::isOfNoPolicy)
			.map((control) -> new Outcome(control, null, "no policy has this key"))
			.toList();
		List<Control> known = controls.stream().filter((control) -> !isOfNoPolicy(control)).toList();
		return new ControlRequest(known, refused, fields.time(), fields.reason(), false);
	}

	private static boolean isOfNoPolicy(Control control) {
		return ANY.equals(control.policy());
	}

	private static Set<String> keys(Map<String, ? extends @Nullable Object> values) {
		Object key = values.get(KEY);
		if (key != null && values.get(KEYS) != null) {
			throw new IllegalArgumentException("the fields 'key' and 'keys' exclude each other");
		}
		Set<String> texts = (key != null) ? Set.of(key.toString())
				: StringUtils.commaDelimitedListToSet(Objects.toString(values.get(KEYS), null));
		if (texts.isEmpty()) {
			throw new IllegalArgumentException(
					"the keys are missing: write one as 'key', or several with commas between them as 'keys'");
		}
		return texts.stream().map(String::strip).collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static Stream<Map<String, @Nullable Object>> inAllPolicies(String key, Map<String, String> policies,
			Map<String, ? extends @Nullable Object> values) {
		if (policies.isEmpty()) {
			if (values.get(KEYS) == null) {
				throw new IllegalArgumentException("no policy has the key '" + key + "'");
			}
			return Stream.of(with(values, Map.of(KEY, key)));
		}
		return policies.entrySet()
			.stream()
			.map((policy) -> with(values, Map.of(POLICY, policy.getKey(), KEY, policy.getValue())));
	}

	private static Map<String, @Nullable Object> with(Map<String, ? extends @Nullable Object> values,
			Map<String, String> replaced) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>(values);
		fields.remove(KEYS);
		fields.putAll(replaced);
		return fields;
	}

}
