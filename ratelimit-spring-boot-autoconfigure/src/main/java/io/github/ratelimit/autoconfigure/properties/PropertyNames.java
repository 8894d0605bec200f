package io.github.ratelimit.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.ratelimit.autoconfigure.properties.PropertySchema.Entry;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A check of the names and raw values of properties, which binding would accept.
 */
public final class PropertyNames {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(RateLimitProperties.PREFIX);

	private static final String IGNORE = RateLimitProperties.PREFIX + ".checks.ignore";

	private static final Pattern NUMBER = Pattern.compile("[0-9]*[1-9][0-9]*");

	private final Environment environment;

	/**
	 * Creates a check.
	 * @param environment the properties to check
	 */
	public PropertyNames(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Creates findings that ignore what the properties list.
	 * @return no findings yet
	 */
	public Findings findings() {
		List<String> ignored = Binder.get(this.environment)
			.bind(IGNORE, Bindable.listOf(String.class))
			.orElse(List.of());
		return PropertyCheck.checked(IGNORE, ignored, () -> new Findings(ignored));
	}

	/**
	 * Requires all properties to exist. Environment variables are not checked, as their
	 * names cannot be told apart from those of other programs.
	 * @throws InvalidRateLimitConfigurationException if one does not exist
	 */
	public void requireKnown() {
		Findings findings = findings();
		sources().filter((source) -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource))
			.flatMap(PropertyNames::names)
			.forEach((name) -> requireKnown(name, findings));
	}

	private static void requireKnown(ConfigurationPropertyName name, Findings findings) {
		Entry entry = PropertySchema.find(name);
		ConfigurationPropertyName parent = entry.parent();
		if (entry.type() != null || parent == null) {
			return;
		}
		String message = "The property '" + name + "' does not exist";
		if (!findings.isIgnored(new Finding(Kind.UNKNOWN_PROPERTY, name.toString(), message))) {
			String wrong = name.getElement(parent.getNumberOfElements(), ConfigurationPropertyName.Form.DASHED);
			Optional<String> nearest = NearestName.of(wrong, entry.known());
			throw new InvalidRateLimitConfigurationException(message,
					nearest.map((meant) -> "Did you mean '" + parent.append(meant) + "'?")
						.orElseGet(() -> remedy(entry)) + " To keep it, add '" + Kind.UNKNOWN_PROPERTY.id() + "' to '"
							+ IGNORE + "'.",
					null);
		}
	}

	private static String remedy(Entry entry) {
		return entry.known().isEmpty() ? "Remove it."
				: "Remove it, or use one of " + entry.known() + " of '" + entry.parent() + "'.";
	}

	/**
	 * Finds durations without a unit.
	 * @return the findings
	 */
	public Stream<Finding> durationsWithoutUnit() {
		return sources().flatMap(PropertyNames::names)
			.distinct()
			.filter((name) -> PropertySchema.find(name).type() == Duration.class)
			.map(ConfigurationPropertyName::toString)
			.flatMap(this::withoutUnit);
	}

	private Stream<Finding> withoutUnit(String name) {
		String value = this.environment.getProperty(name, "").strip();
		if (!NUMBER.matcher(value).matches()) {
			return Stream.empty();
		}
		return Stream.of(new Finding(Kind.DURATION_WITHOUT_UNIT, name, "The property '" + name + "' is '" + value
				+ "', which means milliseconds. Write its unit, such as " + value + "s or " + value + "ms."));
	}

	private Stream<IterableConfigurationPropertySource> sources() {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast);
	}

	private static Stream<ConfigurationPropertyName> names(IterableConfigurationPropertySource source) {
		return source.stream().filter(PREFIX::isAncestorOf);
	}

}
