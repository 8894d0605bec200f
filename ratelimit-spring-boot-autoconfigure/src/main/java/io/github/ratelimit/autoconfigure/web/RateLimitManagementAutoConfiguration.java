package io.github.ratelimit.autoconfigure.web;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration Auto-configuration} for the paths of management endpoints,
 * which rules skip unless they name them.
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication
@ConditionalOnClass({ PathMappedEndpoints.class, ManagementPortType.class })
public final class RateLimitManagementAutoConfiguration {

	/** Creates the paths, whose endpoints are looked up at the first request. */
	@Bean("io.github.ratelimit.managementPaths")
	@ConditionalOnBean(PathMappedEndpoints.class)
	ManagementPaths rateLimitManagementPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
		return new ManagementPaths(SingletonSupplier.of(endpoints::getObject), environment);
	}

}
