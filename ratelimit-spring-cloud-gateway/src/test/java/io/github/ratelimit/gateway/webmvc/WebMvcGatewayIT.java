package io.github.ratelimit.gateway.webmvc;

import io.github.ratelimit.gateway.GatewayContract;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * A gateway on Spring MVC and Tomcat.
 */
@SpringBootTest(classes = GatewayContract.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=gateway", "spring.main.web-application-type=servlet" })
@Tag("long")
class WebMvcGatewayIT extends GatewayContract {

}
