package com.example;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.stereotype.Controller;

/** An application with Spring GraphQL. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class GraphQlApplication {

	/** A controller of the schema's query. */
	@Controller
	static class GreetingController {

		@QueryMapping
		String greeting() {
			return "Hello";
		}

	}

}
