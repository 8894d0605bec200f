package io.github.ratelimit.autoconfigure;

import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.autoconfigure.properties.RateLimitProperties.Http;
import io.github.ratelimit.spring.finding.Finding;
import io.github.ratelimit.spring.finding.Finding.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * A check of the settings and beans that replace the address of the remote peer with an
 * address from a header, which any client can write.
 */
final class ForwardedHeaders {

	private static final String STRATEGY = "server.forward-headers-strategy";

	private static final String FILTER = "org.springframework.web.filter.ForwardedHeaderFilter";

	private static final String TRANSFORMER = "org.springframework.web.server.adapter.ForwardedHeaderTransformer";

	private static final String NETTY = "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory";

	private static final String TOMCAT = "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory";

	private static final String INTERNAL_PROXIES = "server.tomcat.remoteip.internal-proxies";

	private final Environment environment;

	private final ListableBeanFactory beans;

	private final Http http;

	ForwardedHeaders(Environment environment, ListableBeanFactory beans, Http http) {
		this.environment = environment;
		this.beans = beans;
		this.http = http;
	}

	/** Finds a key that callers can choose, or that is not what it is meant to be. */
	Optional<Finding> find() {
		if (this.http.clientAddressHeader() != null && this.http.trustedProxies().isEmpty()) {
			return Optional.of(new Finding(Kind.UNTRUSTED_PROXY, "client-ip",
					"'ratelimit.http.client-address-header' is '" + this.http.clientAddressHeader()
							+ "', but is read from trusted proxies alone, and there is none. "
							+ "Set 'ratelimit.http.trusted-proxies' to the addresses of your proxies."));
		}
		return findForgeable();
	}

	private Optional<Finding> findForgeable() {
		String culprit = culprit();
		if (culprit != null) {
			return found("Calls are limited by 'client-ip', but " + culprit
					+ " takes the client's address from headers "
					+ "that every client can write: unless a proxy in front of this application removes them, callers "
					+ "choose their own key. Set 'ratelimit.http.trusted-proxies' to your proxies, and '" + STRATEGY
					+ "' to 'none'.");
		}
		if (isNative() && has(TOMCAT) && !this.environment.containsProperty(INTERNAL_PROXIES)) {
			return found("Calls are limited by 'client-ip', but '" + STRATEGY + "=native' has Tomcat take the client's "
					+ "address from headers of every peer in a private network, so that each of them chooses its own "
					+ "key. Set '" + INTERNAL_PROXIES + "' to a pattern for the addresses of your proxies, or '"
					+ "ratelimit.http.trusted-proxies' to them and '" + STRATEGY + "' to 'none'.");
		}
		return Optional.empty();
	}

	private static Optional<Finding> found(String message) {
		return Optional.of(new Finding(Kind.FORGEABLE_ADDRESS, "client-ip", message));
	}

	private @Nullable String culprit() {
		if (strategy().equalsIgnoreCase("framework") || (isNative() && has(NETTY))) {
			return "'" + STRATEGY + "=" + strategy() + "'";
		}
		return Stream.of(FILTER, TRANSFORMER).filter(this::has).findFirst().map("a bean of "::concat).orElse(null);
	}

	private boolean isNative() {
		return strategy().equalsIgnoreCase("native");
	}

	private String strategy() {
		return this.environment.getProperty(STRATEGY, isCloud() ? "native" : "none");
	}

	/**
	 * Returns whether the platform makes Boot leave the headers to the server by default.
	 */
	private boolean isCloud() {
		CloudPlatform platform = CloudPlatform.getActive(this.environment);
		return platform != null && platform.isUsingForwardHeaders();
	}

	private boolean has(String className) {
		ClassLoader loader = getClass().getClassLoader();
		return ClassUtils.isPresent(className, loader) && has(ClassUtils.resolveClassName(className, loader));
	}

	/** Returns whether there is a bean of a type, or a registration of the filter. */
	private boolean has(Class<?> type) {
		return has(ResolvableType.forClass(type)) || (type.getName().equals(FILTER)
				&& has(ResolvableType.forClassWithGenerics(FilterRegistrationBean.class, type)));
	}

	private boolean has(ResolvableType type) {
		return this.beans.getBeanNamesForType(type, true, false).length > 0;
	}

}
