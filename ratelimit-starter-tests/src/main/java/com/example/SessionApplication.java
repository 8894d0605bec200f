package com.example;

import jakarta.servlet.http.HttpSession;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application whose sessions are in a database. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class SessionApplication {

	/** A controller that uses the session. */
	@RestController
	static class SessionController {

		@GetMapping("/")
		String id(HttpSession session) {
			return session.getId();
		}

	}

}
