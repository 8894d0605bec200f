package com.example;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/** A gateway on Spring WebFlux. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class GatewayApplication {

	@Bean
	RouteLocator routes(RouteLocatorBuilder routes) {
		return routes.routes().route((route) -> route.path("/items/**").uri("http://localhost:1")).build();
	}

}
