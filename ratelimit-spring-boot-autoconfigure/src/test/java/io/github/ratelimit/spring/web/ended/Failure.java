package io.github.ratelimit.spring.web.ended;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * The failure of a call, which Spring maps to a status without logging it.
 */
final class Failure extends ResponseStatusException {

	Failure() {
		super(HttpStatus.CONFLICT);
	}

}
