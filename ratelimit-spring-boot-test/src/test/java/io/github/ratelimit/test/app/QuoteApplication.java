package io.github.ratelimit.test.app;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application with limits.
 */
@SpringBootApplication
public class QuoteApplication {

}
