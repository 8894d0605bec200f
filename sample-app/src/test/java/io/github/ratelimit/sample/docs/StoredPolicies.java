package io.github.ratelimit.sample.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.policy.PolicySource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Policies that are rows of a table.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class StoredPolicies {

	@Bean
	PolicySource policiesOfTable(PolicyTable table) {
		return () -> {
			Map<String, Object> properties = new HashMap<>();
			for (PolicyTable.Row row : table.findAll()) {
				String policy = "ratelimit.policies." + row.name();
				properties.put(policy + ".limits", row.limits());
				properties.put(policy + ".key", row.key());
			}
			return properties;
		};
	}

	/** A table of policies. */
	interface PolicyTable {

		List<Row> findAll();

		record Row(String name, String limits, String key) {

		}

	}

}
