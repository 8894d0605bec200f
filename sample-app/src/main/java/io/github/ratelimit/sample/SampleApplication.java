package io.github.ratelimit.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The sample.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Starts the sample.
	 * @param args any property, such as {@code --server.port=9001}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
