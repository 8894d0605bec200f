package io.github.ratelimit.autoconfigure.reload;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties;
import io.github.ratelimit.autoconfigure.properties.SchedulesInEffect;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class FixedPropertiesTests {

	private static final Set<String> RELOADED = Set.of("policies", "rules", "mode", "on-store-failure", "local-share");

	@Test
	void areAllPropertiesThatNoReloadChanges() {
		Set<String> known = new HashSet<>(FixedProperties.names());
		known.addAll(RELOADED);
		List<String> properties = Arrays.stream(RateLimitProperties.class.getRecordComponents())
			.map(RecordComponent::getName)
			.map(DataObjectPropertyName::toDashedForm)
			.toList();
		assertThat(known).containsAll(properties);
	}

	@Test
	void namesChangedProperties() {
		PropertiesInEffect now = properties(Map.of("ratelimit.tenant", "header:X-Tenant", "ratelimit.checks.ignore",
				"slow-redis", "ratelimit.local-share", "50"), Map.of());
		assertThat(FixedProperties.changed(properties(Map.of()), now, Set.of())).containsExactly("ratelimit.tenant",
				"ratelimit.checks.ignore");
	}

	@Test
	void namesChangedGroupsOfOtherModules() {
		PropertiesInEffect started = properties(Map.of("graphql", "before", "stomp", "same"));
		PropertiesInEffect now = properties(Map.of("graphql", "after", "stomp", "same"));
		assertThat(FixedProperties.changed(started, now, Set.of())).containsExactly("ratelimit.graphql");
		assertThat(FixedProperties.changed(started, started, Set.of())).isEmpty();
	}

	@Test
	void namesNoSectionThatWasReloaded() {
		PropertiesInEffect started = properties(Map.of("graphql", "before", "stomp", "before"));
		PropertiesInEffect now = properties(Map.of("ratelimit.login.account", "x", "ratelimit.tenant", "principal"),
				Map.of("graphql", "after", "stomp", "after"));
		assertThat(FixedProperties.changed(started, now, Set.of("graphql", "login")))
			.containsExactly("ratelimit.tenant", "ratelimit.stomp");
	}

	private static PropertiesInEffect properties(Map<String, Object> groups) {
		return properties(Map.of(), groups);
	}

	private static PropertiesInEffect properties(Map<String, String> properties, Map<String, Object> groups) {
		RateLimitProperties bound = new Binder(new MapConfigurationPropertySource(properties))
			.bindOrCreate(RateLimitProperties.PREFIX, RateLimitProperties.class);
		return new PropertiesInEffect(bound, groups, SchedulesInEffect.of(bound, Instant.EPOCH), "");
	}

}
