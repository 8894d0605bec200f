package io.github.ratelimit.starter;

import com.example.BatchApplication;
import com.example.GatewayApplication;
import com.example.GraphQlApplication;
import com.example.ReactiveApplication;
import com.example.SessionApplication;
import com.example.ShopApplication;

/** A kind of application, and a bean that tells it from others. */
enum Kind {

	CAFFEINE(shop("caffeine"), "cacheManager", "org.springframework.cache.caffeine.CaffeineCacheManager"),

	JCACHE(shop("jcache"), "cacheManager", "org.springframework.cache.jcache.JCacheCacheManager"),

	WEBFLUX(Application.of(ReactiveApplication.class, "spring-boot-starter-webflux", "spring-boot-starter-actuator"),
			"webHandler", "org.springframework.web.reactive.DispatcherHandler"),

	GRAPHQL(Application.of(GraphQlApplication.class, "spring-boot-starter-webmvc", "spring-boot-starter-graphql"),
			"graphQlHttpHandler", "org.springframework.graphql.server.webmvc.GraphQlHttpHandler"),

	BATCH(Application.of(BatchApplication.class, "spring-boot-starter-batch"), "jobRepository",
			"org.springframework.batch.core.repository.support.ResourcelessJobRepository"),

	GATEWAY(Application.of(GatewayApplication.class, "spring-cloud-starter-gateway-server-webflux"),
			"routePredicateHandlerMapping", "org.springframework.cloud.gateway.handler.RoutePredicateHandlerMapping"),

	SESSION(Application.of(SessionApplication.class, "spring-boot-starter-webmvc", "spring-boot-starter-session-jdbc",
			"h2"), "sessionRepository", "org.springframework.session.jdbc.JdbcIndexedSessionRepository"),

	REDIS(shop("caffeine", "spring-boot-starter-data-redis"), "cacheManager",
			"org.springframework.data.redis.cache.RedisCacheManager");

	private final Application application;

	private final String name;

	private final String type;

	Kind(Application application, String name, String type) {
		this.application = application;
		this.name = name;
		this.type = type;
	}

	/** Returns the application without the starter. */
	Application application() {
		return this.application;
	}

	/** Returns the name of the bean. */
	String beanName() {
		return this.name;
	}

	/** Returns the type of the bean. */
	String beanType() {
		return this.type;
	}

	private static Application shop(String... more) {
		return Application.of(ShopApplication.class, "spring-boot-starter-webmvc", "spring-boot-starter-cache",
				"spring-boot-starter-data-jpa", "h2", "spring-boot-starter-security", "spring-boot-starter-actuator")
			.with(more);
	}

}
