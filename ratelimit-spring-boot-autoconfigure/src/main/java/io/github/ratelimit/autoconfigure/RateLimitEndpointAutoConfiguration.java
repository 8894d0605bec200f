package io.github.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.autoconfigure.properties.YamlWords;
import io.github.ratelimit.autoconfigure.store.StoreChoice;
import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.actuate.ControlAudit;
import io.github.ratelimit.spring.actuate.ControlFieldsAdvisor;
import io.github.ratelimit.spring.actuate.Diagnostics;
import io.github.ratelimit.spring.actuate.DryRun;
import io.github.ratelimit.spring.actuate.KeyLookup;
import io.github.ratelimit.spring.actuate.PolicyReports;
import io.github.ratelimit.spring.actuate.PolicyUses;
import io.github.ratelimit.spring.actuate.PolicyUses.RuleReport;
import io.github.ratelimit.spring.actuate.RateLimitControlsEndpoint;
import io.github.ratelimit.spring.actuate.RateLimitsEndpoint;
import io.github.ratelimit.spring.check.PolicyUse;
import io.github.ratelimit.spring.control.Controls;
import io.github.ratelimit.spring.control.OperatorKeys;
import io.github.ratelimit.spring.control.Penalties;
import io.github.ratelimit.spring.finding.Findings;
import io.github.ratelimit.spring.finding.LastReload;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.top.TopKeys;
import io.github.ratelimit.spring.web.MappedMethods;
import io.github.ratelimit.spring.web.RateLimitRule;
import io.github.ratelimit.spring.web.RateLimitRules;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * {@link AutoConfiguration Auto-configuration} for {@code /actuator/ratelimits} and
 * {@code /actuator/ratelimitcontrols}.
 */
@AutoConfiguration(after = RateLimitMethodAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitEndpointAutoConfiguration {

	@Bean("io.github.ratelimit.controlAudit")
	ControlAudit rateLimitControlAudit(ApplicationEventPublisher events) {
		return new ControlAudit(events);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
	static class LimitsEndpoint {

		@Bean("io.github.ratelimit.limitsEndpoint")
		@ConditionalOnMissingBean
		RateLimitsEndpoint rateLimitsEndpoint(PolicyReports policies, RateLimitStore store, KeyLookup lookup,
				PolicyUses uses, Diagnostics diagnostics) {
			return new RateLimitsEndpoint(policies, store, lookup, uses, diagnostics);
		}

		@Bean("io.github.ratelimit.diagnostics")
		Diagnostics rateLimitDiagnostics(StoreChoice choice, Findings findings) {
			return new Diagnostics(choice.reason(), choice.stores().connection(), findings::all);
		}

		@Bean("io.github.ratelimit.policyReports")
		PolicyReports rateLimitPolicyReports(Policies policies, PolicyUses uses, Controls controls,
				ObjectProvider<Penalties> penalties) {
			return new PolicyReports(policies, uses, controls,
					() -> penalties.stream().findAny().map(Penalties::byPolicy).orElse(Map.of()));
		}

		@Bean("io.github.ratelimit.keyLookup")
		KeyLookup rateLimitKeyLookup(RateLimiter limiter, OperatorKeys keys, Controls controls,
				ObjectProvider<TopKeys> top) {
			return new KeyLookup(limiter, keys, controls, top.getIfAvailable());
		}

		@Bean("io.github.ratelimit.policyUses")
		PolicyUses rateLimitPolicyUses(RateLimitedMethods methods, LastReload reload, ObjectProvider<RuleReports> rules,
				ObjectProvider<PolicyUse> others) {
			return new PolicyUses(methods::byPolicy, () -> byPolicy(others), rules.getIfAvailable(() -> List::of),
					reload);
		}

		private static Map<String, Collection<String>> byPolicy(ObjectProvider<PolicyUse> uses) {
			Map<String, Collection<String>> byPolicy = new HashMap<>();
			uses.orderedStream()
				.forEach((use) -> use.byPolicy()
					.forEach((policy, places) -> byPolicy.computeIfAbsent(policy, (name) -> new TreeSet<>())
						.addAll(places)));
			return byPolicy;
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(PathPattern.class)
		static class Rules {

			@Bean("io.github.ratelimit.ruleReports")
			RuleReports rateLimitRuleReports(ObjectProvider<RateLimitRules> rules) {
				return () -> rules.stream().flatMap((each) -> each.all().stream()).map(RuleReports::of).toList();
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(RateLimitControlsEndpoint.class)
	static class ControlsEndpoint {

		@Bean("io.github.ratelimit.controlsEndpoint")
		@ConditionalOnMissingBean
		RateLimitControlsEndpoint rateLimitControlsEndpoint(Controls controls, ApplicationEventPublisher events,
				ObjectProvider<DryRun> dryRun) {
			return new RateLimitControlsEndpoint(controls, events, dryRun.getIfAvailable());
		}

		@Bean("io.github.ratelimit.controlFieldsAdvisor")
		ControlFieldsAdvisor rateLimitControlFieldsAdvisor() {
			return new ControlFieldsAdvisor();
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(PathPattern.class)
		static class Rules {

			@Bean("io.github.ratelimit.dryRun")
			DryRun rateLimitDryRun(ObjectProvider<RateLimitRules> rules, ObjectProvider<MappedMethods> methods,
					Policies policies, ObjectProvider<KeyLookup> lookup, ApplicationContext application) {
				return new DryRun(rules, methods, policies,
						lookup.getIfAvailable(() -> new KeyLookup(application.getBean(RateLimiter.class),
								application.getBean(OperatorKeys.class), application.getBean(Controls.class), null)),
						RuleReports::of, application);
			}

		}

	}

	/** The rules of a web application. */
	interface RuleReports extends Supplier<List<RuleReport>> {

		static RuleReport of(RateLimitRule rule) {
			return new RuleReport(texts(rule.paths()), texts(rule.except()),
					rule.methods().stream().map(HttpMethod::name).sorted().toList(),
					rule.keys().stream().map((key) -> key.policy().name()).toList(),
					rule.charges().get(0).cost().text(), YamlWords.of(rule.phase()));
		}

		private static List<String> texts(List<PathPattern> patterns) {
			return patterns.stream().map(PathPattern::getPatternString).toList();
		}

	}

}
