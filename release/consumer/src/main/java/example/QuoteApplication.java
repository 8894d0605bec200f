package example;

import io.github.ratelimit.RateLimited;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application with one limited endpoint.
 */
@SpringBootApplication
@RestController
public class QuoteApplication {

	public static void main(String[] args) {
		SpringApplication.run(QuoteApplication.class, args);
	}

	@GetMapping("/quotes")
	@RateLimited("quotes")
	String quote() {
		return "Less is more.";
	}

}
