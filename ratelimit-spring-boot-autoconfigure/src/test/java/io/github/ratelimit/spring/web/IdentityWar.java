package io.github.ratelimit.spring.web;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/**
 * The entry point for a container, with forged headers.
 */
public class IdentityWar extends SpringBootServletInitializer {

	@Override
	protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
		return builder.sources(IdentityApplication.class).properties(IdentityApplication.properties());
	}

}
