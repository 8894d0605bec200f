package io.github.ratelimit.spring.openapi;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.key.Caller;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRule.RuleCharge;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.spring.web.RuleRequest;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;

/**
 * The customizer of documents whose operations are limited by rules. A rule limits an
 * operation if one of its patterns matches the path as the document writes it.
 */
public final class RateLimitRuleCustomizer implements GlobalOpenApiCustomizer {

	private final RateLimitRules rules;

	private final OperationLimits limits;

	private final String prefix;

	/**
	 * Creates a customizer.
	 * @param rules the rules of the application
	 * @param limits documents limits
	 * @param prefix the beginning of all paths that the document leaves out, such as
	 * {@code /app}; empty for none
	 */
	public RateLimitRuleCustomizer(RateLimitRules rules, OperationLimits limits, String prefix) {
		this.rules = rules;
		this.limits = limits;
		this.prefix = prefix;
	}

	@Override
	public void customise(OpenAPI document) {
		if (document.getPaths() == null || this.rules.all().isEmpty()) {
			return;
		}
		if (document.getComponents() == null) {
			document.setComponents(new Components());
		}
		document.getPaths().forEach((path, item) -> customize(path, item, document.getComponents()));
	}

	private void customize(String path, PathItem item, Components components) {
		PathContainer parsed = PathContainer.parsePath(this.prefix + path);
		for (Map.Entry<PathItem.HttpMethod, Operation> entry : item.readOperationsMap().entrySet()) {
			List<RuleCharge> charges = charges(HttpMethod.valueOf(entry.getKey().name()), parsed);
			this.limits.document(entry.getValue(), components,
					charges.stream().map((charge) -> charge.key().policy().name()).toList(),
					charges.stream().anyMatch(RuleCharge::isCostComputed));
		}
	}

	private List<RuleCharge> charges(HttpMethod method, PathContainer path) {
		Set<RateLimitRule> matching = Set
			.copyOf(this.rules.matching(new RuleRequest(method, List.of(path), Caller.NONE, null)));
		return this.rules.all()
			.stream()
			.filter((rule) -> matching.contains(rule) || mayMatch(rule, method, path))
			.flatMap((rule) -> rule.charges().stream())
			.toList();
	}

	/** Returns whether a rule would match if its condition held. */
	private static boolean mayMatch(RateLimitRule rule, HttpMethod method, PathContainer path) {
		HttpMethod limited = method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
		return rule.condition() != null
				&& (rule.methods().isEmpty() || rule.methods().contains(method) || rule.methods().contains(limited))
				&& rule.limits(path);
	}

}
