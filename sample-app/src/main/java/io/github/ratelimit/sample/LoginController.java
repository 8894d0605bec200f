package io.github.ratelimit.sample;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.RateLimited;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Logs users in, of whom few mistype a password often.
 */
@RestController
class LoginController {

	/** Charged before the password is looked at, so that guesses are counted. */
	@PostMapping("/login")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	@RateLimited("login")
	void login(@RequestParam String user, @RequestParam String password, HttpServletRequest request) {
		try {
			if (request.getUserPrincipal() != null) {
				request.logout(); // a login within a session would be refused
			}
			request.login(user, password);
			request.changeSessionId();
		}
		catch (ServletException ex) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, "Wrong user or password", ex);
		}
	}

}
