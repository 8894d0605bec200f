package io.github.ratelimit.autoconfigure.properties;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.RuleProperties;
import io.github.ratelimit.key.KeyDigest;
import io.github.ratelimit.policy.InvalidRateLimitConfigurationException;
import io.github.ratelimit.policy.PolicySource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * The properties that a {@link PolicySource} has returned last. If it fails, they stay.
 * Thread-safe.
 */
public final class SourcedProperties {

	private static final Log logger = LogFactory.getLog(SourcedProperties.class);

	private static final List<ConfigurationPropertyName> ALLOWED = Stream.of("policies", "rules")
		.map(ConfigurationPropertyName.of(RateLimitProperties.PREFIX)::append)
		.toList();

	private final @Nullable PolicySource source;

	private volatile Map<String, Object> latest = Map.of();

	private volatile @Nullable String problem;

	/**
	 * Creates properties, which are empty before the source is asked.
	 * @param source the source, or {@code null} if the application has none
	 */
	public SourcedProperties(@Nullable PolicySource source) {
		this.source = source;
	}

	/**
	 * Returns whether policies may be added while an application runs, as far as its
	 * beans are registered.
	 * @param context the context of a condition
	 * @return whether files are read again, or there is a {@link PolicySource} bean
	 */
	public static boolean mayChange(ConditionContext context) {
		return context.getEnvironment().containsProperty(RateLimitProperties.PREFIX + ".reload-interval")
				|| hasSource(context.getBeanFactory());
	}

	private static boolean hasSource(@Nullable ListableBeanFactory beans) {
		return beans != null && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, PolicySource.class, true,
				false).length > 0;
	}

	/** Asks the source. A failure is logged, once for each kind of failure in a row. */
	public synchronized void ask() {
		if (this.source == null) {
			return;
		}
		try {
			this.latest = new LinkedHashMap<>(this.source.properties());
			this.problem = null;
		}
		catch (RuntimeException | Error ex) {
			fail("The policy source failed with " + ex.getClass().getName() + ", and what it returned before stays",
					ex);
		}
	}

	private void fail(String problem, Throwable failure) {
		if (!problem.equals(this.problem)) {
			logger.warn(problem, failure);
		}
		this.problem = problem;
	}

	/**
	 * Returns the reason for which the source has failed when it was last asked.
	 * @return a sentence without the message of the failure, which may hold secrets;
	 * {@code null} if the source has not failed
	 */
	public @Nullable String problem() {
		return this.problem;
	}

	/**
	 * Returns properties with the policies and rules of the source next to theirs.
	 * @param configured the properties of the application
	 * @return the properties, with the rules of the source behind the others
	 * @throws InvalidRateLimitConfigurationException if the source returned anything but
	 * policies and rules, or a policy that is configured too
	 */
	public RateLimitProperties addTo(RateLimitProperties configured) {
		Map<String, Object> latest = this.latest;
		if (latest.isEmpty()) {
			return configured;
		}
		RateLimitProperties read = read(latest);
		Map<String, PolicyProperties> policies = new LinkedHashMap<>(configured.policies());
		read.policies().forEach((name, policy) -> {
			if (policies.putIfAbsent(name, policy) != null) {
				throw new InvalidRateLimitConfigurationException(
						"The policy '" + name + "' is both in '" + PolicyReader.property(name)
								+ "' of the configuration and in the policy source",
						"Remove it from one of them, or rename one.", null);
			}
		});
		List<RuleProperties> rules = new ArrayList<>(configured.rules());
		rules.addAll(read.rules());
		return configured.with(policies, rules);
	}

	/**
	 * Returns a digest of the properties of this library and those of the source, which
	 * is the same on instances whose properties have equal names and values.
	 * @param environment the properties of the application
	 * @return the digest, by which a property can be guessed if all others are known
	 */
	public String digest(Environment environment) {
		return KeyDigest
			.of(texts(Binder.get(environment)) + " " + texts(withoutPlaceholders(environmentOf(this.latest))));
	}

	/** Returns the properties in their order, as maps differ between instances. */
	private static Map<String, String> texts(Binder binder) {
		return new TreeMap<>(
				binder.bind(RateLimitProperties.PREFIX, Bindable.mapOf(String.class, String.class)).orElse(Map.of()));
	}

	private static RateLimitProperties read(Map<String, Object> properties) {
		SourcedNames names = new SourcedNames();
		properties.keySet().forEach((property) -> requireAllowed(property, names.require(property)));
		ConfigurableEnvironment environment = environmentOf(properties);
		new PropertyNames(environment).requireKnown(SourcedProperties.class.getClassLoader());
		return withoutPlaceholders(environment).bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class);
	}

	private static ConfigurableEnvironment environmentOf(Map<String, Object> properties) {
		ConfigurableEnvironment environment = new AbstractEnvironment() {
		};
		environment.getPropertySources().addFirst(new MapPropertySource("policy source", properties));
		return environment;
	}

	/** Returns a binder that takes values as they are. */
	private static Binder withoutPlaceholders(ConfigurableEnvironment environment) {
		return new Binder(ConfigurationPropertySources.get(environment));
	}

	private static void requireAllowed(String property, ConfigurationPropertyName name) {
		if (ALLOWED.stream().noneMatch((allowed) -> allowed.isAncestorOf(name))) {
			throw new InvalidRateLimitConfigurationException(
					"The policy source returned the property '" + property
							+ "', but it returns policies and rules alone",
					"Name its properties as in 'ratelimit.policies.search.limits' or 'ratelimit.rules[0].paths'.",
					null);
		}
	}

	/**
	 * The names of properties that a policy source has returned at once. Spring Boot
	 * binds names that differ in case, dashes and other characters as one, and leaves out
	 * what a name cannot have.
	 */
	private static final class SourcedNames {

		/** The text of each name, and of each name that it begins with. */
		private final Map<ConfigurationPropertyName, String> written = new HashMap<>();

		/**
		 * Returns a name as it is bound.
		 * @throws InvalidRateLimitConfigurationException if it would be bound as another
		 * name
		 */
		ConfigurationPropertyName require(String property) {
			ConfigurationPropertyName name = ConfigurationPropertyName.adapt(property, '.');
			StringBuilder text = new StringBuilder();
			for (int elements = 1; elements <= name.getNumberOfElements(); elements++) {
				ConfigurationPropertyName begin = name.chop(elements);
				append(text, begin);
				requireOnce(begin, text.toString());
			}
			if (!text.toString().equals(property)) {
				throw new InvalidRateLimitConfigurationException("The policy source returned the property '" + property
						+ "', which would be read as '" + text + "'",
						"Use letters, digits and dashes, with dots between them.", null);
			}
			return name;
		}

		private static void append(StringBuilder text, ConfigurationPropertyName name) {
			String last = name.getLastElement(Form.ORIGINAL);
			if (name.isLastElementIndexed()) {
				text.append('[').append(last).append(']');
			}
			else {
				text.append(text.isEmpty() ? "" : ".").append(last);
			}
		}

		private void requireOnce(ConfigurationPropertyName name, String text) {
			String other = this.written.putIfAbsent(name, text);
			if (other != null && !other.equals(text)) {
				throw new InvalidRateLimitConfigurationException(
						"The policy source returned '" + other + "' and '" + text + "', which are one name",
						"Rename one, or write both alike.", null);
			}
		}

	}

}
