package io.github.ratelimit.autoconfigure.web;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.policy.Policies;
import io.github.ratelimit.spring.check.Endpoint;
import io.github.ratelimit.spring.check.OverlappingRules;
import io.github.ratelimit.spring.check.PrincipalKeys;
import io.github.ratelimit.spring.check.ShallowRules;
import io.github.ratelimit.spring.check.StartCheck;
import io.github.ratelimit.spring.method.RateLimitedMethods;
import io.github.ratelimit.spring.web.RateLimitRules;

import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * The checks that compare rules with the endpoints of an application.
 */
final class RuleChecks {

	private static final String AUTHENTICATION = "org.springframework.security.core.Authentication";

	private RuleChecks() {
	}

	static StartCheck of(Policies policies, RateLimitRules rules, RateLimitedMethods methods,
			Supplier<List<Endpoint>> endpoints) {
		return StartCheck.all(
				new PrincipalKeys(policies::all, rules::all,
						ClassUtils.isPresent(AUTHENTICATION, ClassUtils.getDefaultClassLoader())),
				new OverlappingRules(methods, rules::all, endpoints), new ShallowRules(methods, rules::all, endpoints));
	}

	static Stream<Endpoint> endpoints(Collection<String> paths, Set<RequestMethod> methods, HandlerMethod handler) {
		Class<?> type = ClassUtils.getUserClass(handler.getBeanType());
		return paths.stream()
			.map((path) -> new Endpoint(path,
					methods.stream().map(RequestMethod::asHttpMethod).collect(Collectors.toSet()), handler.getMethod(),
					type));
	}

}
