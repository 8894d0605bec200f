package io.github.ratelimit.autoconfigure.properties;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.PropertyGroup.Library;
import io.github.ratelimit.autoconfigure.properties.PropertySchema.Entry;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.NearestName;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
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

	/** The properties that may be empty and hold expressions otherwise. */
	private static final Set<String> EXPRESSIONS = Set.of("exempt", "blocked", "actual", "charge-when", "refund-when");

	private final Environment environment;

	/**
	 * Creates a check.
	 * @param environment the properties to check
	 */
	public PropertyNames(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Creates findings.
	 * @param ignored the findings to ignore, as in {@code ratelimit.checks.ignore}
	 * @return no findings yet
	 */
	public static Findings findings(List<String> ignored) {
		return PropertyCheck.checked(IGNORE, ignored, () -> new Findings(ignored));
	}

	/**
	 * Requires all properties to exist and to have the library that they are for.
	 * Environment variables of other programs may have similar names. Therefore, only
	 * those variables are checked that would limit calls if an absent module or library
	 * were present.
	 * @param classes finds libraries
	 * @throws InvalidRateLimitConfigurationException if a property or library does not
	 * exist
	 */
	public void requireKnown(@Nullable ClassLoader classes) {
		for (IterableConfigurationPropertySource source : sources()) {
			boolean isEnvironment = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
			for (ConfigurationPropertyName name : source) {
				if (PREFIX.isAncestorOf(name) && (!isEnvironment || PropertyGroups.isLimiting(name))) {
					requireKnown(source.getConfigurationProperty(name), classes);
				}
			}
		}
	}

	private void requireKnown(@Nullable ConfigurationProperty property, @Nullable ClassLoader classes) {
		if (property == null) {
			return;
		}
		ConfigurationPropertyName name = property.getName();
		Entry entry = PropertySchema.find(name);
		ConfigurationPropertyName parent = entry.parent();
		if (parent == null) {
			PropertyShape.require(property, entry);
			requireLibrary(name, classes);
			return;
		}
		String wrong = name.getElement(parent.getNumberOfElements(), ConfigurationPropertyName.Form.DASHED);
		String module = parent.equals(PREFIX) ? PropertyGroups.moduleOf(wrong) : null;
		refuse(name, "does not exist", (module != null) ? "Add the module '" + module + "', which it belongs to."
				: remedy(wrong, property, entry, parent));
	}

	private void requireLibrary(ConfigurationPropertyName name, @Nullable ClassLoader classes) {
		Library library = PropertyGroups.libraryOf(name);
		if (library != null && !library.isPresent(classes)) {
			refuse(name.chop(PREFIX.getNumberOfElements() + 2),
					"has no effect, as " + library.name() + " is not on the class path",
					"Add '" + library.starter() + "', or remove the property.");
		}
	}

	private void refuse(ConfigurationPropertyName name, String problem, String remedy) {
		String message = "The property '" + name + "' " + problem;
		if (!isIgnored(new Finding(Kind.UNKNOWN_PROPERTY, name.toString(), message))) {
			throw new InvalidRateLimitConfigurationException(message,
					remedy + " To keep it, add '" + Kind.UNKNOWN_PROPERTY.id() + "' to '" + IGNORE + "'.", null);
		}
	}

	/** Returns whether the properties, which are not bound yet, ignore a finding. */
	private boolean isIgnored(Finding finding) {
		Binder binder = Binder.get(this.environment);
		return findings(binder.bind(IGNORE, Bindable.listOf(String.class)).orElse(List.of())).isIgnored(finding);
	}

	private static String remedy(String wrong, ConfigurationProperty property, Entry entry,
			ConfigurationPropertyName parent) {
		String instead = PropertyShape.instead(property, entry);
		return (instead != null) ? instead + "."
				: NearestName.of(wrong, entry.known())
					.map((meant) -> "Did you mean '" + parent.append(meant) + "'?")
					.orElseGet(() -> entry.known().isEmpty() ? "Remove it."
							: "Remove it, or use one of " + entry.known() + " of '" + parent + "'.");
	}

	/**
	 * Finds durations without a unit.
	 * @return the findings
	 */
	public Stream<Finding> durationsWithoutUnit() {
		return names().stream()
			.filter((name) -> PropertySchema.find(name).type() == Duration.class)
			.map(ConfigurationPropertyName::toString)
			.flatMap(this::withoutUnit);
	}

	/**
	 * Finds conditions and lists of callers that are empty, as a comment of YAML is.
	 * @return the findings
	 */
	public Stream<Finding> emptyExpressions() {
		return names().stream()
			.filter((name) -> EXPRESSIONS.contains(name.getLastElement(ConfigurationPropertyName.Form.DASHED))
					&& PropertySchema.find(name).type() != null)
			.map(ConfigurationPropertyName::toString)
			.filter((name) -> this.environment.getProperty(name, "-").isBlank())
			.map((name) -> new Finding(Kind.EMPTY_PROPERTY, name,
					"The property '" + name + "' is empty and has no effect. " + PropertyCheck.COMMENT));
	}

	private Stream<Finding> withoutUnit(String name) {
		String value = this.environment.getProperty(name, "").strip();
		if (!NUMBER.matcher(value).matches()) {
			return Stream.empty();
		}
		return Stream.of(new Finding(Kind.DURATION_WITHOUT_UNIT, name, "The property '" + name + "' is '" + value
				+ "', which means milliseconds. Write its unit, such as " + value + "s or " + value + "ms."));
	}

	private Set<ConfigurationPropertyName> names() {
		Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
		for (IterableConfigurationPropertySource source : sources()) {
			for (ConfigurationPropertyName name : source) {
				if (PREFIX.isAncestorOf(name)) {
					names.add(name);
				}
			}
		}
		return names;
	}

	private List<IterableConfigurationPropertySource> sources() {
		List<IterableConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				sources.add(iterable);
			}
		}
		return sources;
	}

}
