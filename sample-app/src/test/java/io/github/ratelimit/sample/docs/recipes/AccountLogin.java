package io.github.ratelimit.sample.docs.recipes;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;

import io.github.ratelimit.RateLimited;

import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * A login that is limited for each account.
 */
@Profile("docs")
@RestController
class AccountLogin {

	@PostMapping("/login")
	@RateLimited(policy = "login-account", key = "#user.toLowerCase()")
	void login(@RequestParam String user, @RequestParam String password, HttpServletRequest request) {
		try {
			request.login(user, password);
			request.changeSessionId();
		}
		catch (ServletException ex) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, "Wrong user or password", ex);
		}
	}

}
