package io.github.ratelimit.spring.actuate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.spring.finding.LastReload;

/**
 * The places of an application that use policies, as they are now.
 *
 * @param methods supplies the limited methods by the name of the policy
 * @param others supplies the properties and routes of other modules by the name of the
 * policy
 * @param rules supplies the rules in their order
 * @param reload the configuration in effect and its last reload
 */
public record PolicyUses(Supplier<? extends Map<String, ? extends Collection<String>>> methods,
		Supplier<? extends Map<String, ? extends Collection<String>>> others, Supplier<List<RuleReport>> rules,
		LastReload reload) {

	/**
	 * A rule.
	 *
	 * @param paths the patterns of paths
	 * @param except the patterns of excepted paths
	 * @param methods the HTTP methods, none for any
	 * @param policies the names of the policies
	 * @param cost the permits that a request costs, a number or an expression
	 * @param phase whether it is decided before or after Spring Security
	 */
	public record RuleReport(List<String> paths, List<String> except, List<String> methods, List<String> policies,
			String cost, String phase) {

	}

}
