package io.github.ratelimit.sample.docs.recipes;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

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

	private final KnownDevices devices;

	AccountLogin(KnownDevices devices) {
		this.devices = devices;
	}

	@PostMapping("/login")
	@RateLimited(policy = "login-account", chargeOn = ResponseStatusException.class)
	void login(@RequestParam String name, @RequestParam String password, HttpServletRequest request,
			HttpServletResponse response) {
		try {
			if (request.getUserPrincipal() != null) {
				request.logout(); // a login within a session would be refused
			}
			request.login(name, password);
			request.changeSessionId();
			response.addCookie(this.devices.cookie(name));
		}
		catch (ServletException ex) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, "Wrong user or password", ex);
		}
	}

}
