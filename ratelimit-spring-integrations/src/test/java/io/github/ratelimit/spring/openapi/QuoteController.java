package io.github.ratelimit.spring.openapi;

import io.github.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class QuoteController {

	@GetMapping("/quotes/{id}")
	@RateLimited("quotes")
	String quote(@PathVariable String id) {
		return id;
	}

}
