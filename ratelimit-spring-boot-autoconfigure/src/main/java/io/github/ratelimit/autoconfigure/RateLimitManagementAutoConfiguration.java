package io.github.ratelimit.autoconfigure;

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
 * which rules leave out that do not name them.
 */
@AutoConfiguration(
		afterName = "org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration")
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnWebApplication
@ConditionalOnClass({ PathMappedEndpoints.class, ManagementPortType.class })
public final class RateLimitManagementAutoConfiguration {

	/**
	 * Endpoints exist before most beans do, so they are asked for when a request comes.
	 */
	@Bean
	@ConditionalOnBean(PathMappedEndpoints.class)
	ManagementPaths rateLimitManagementPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
		return new ManagementPaths(SingletonSupplier.of(endpoints::getObject), environment);
	}

}
