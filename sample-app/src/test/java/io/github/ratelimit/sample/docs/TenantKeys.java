package io.github.ratelimit.sample.docs;

import io.github.ratelimit.key.KeyResolver;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * A key of the application's own: what follows the sign in alice@example.org.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
class TenantKeys {

	@Bean
	KeyResolver tenant() {
		return (context) -> {
			String user = context.caller().principal();
			return (user != null) ? user.substring(user.indexOf('@') + 1) : null;
		};
	}

}
