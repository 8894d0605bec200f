package io.github.ratelimit.spring.grpc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

class CurrentUserTests {

	@AfterEach
	void clear() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void isTheAuthenticatedUserOfTheThread() {
		assertThat(CurrentUser.get()).isNull();
		Authentication alice = new TestingAuthenticationToken("alice", "", "ROLE_USER");
		SecurityContextHolder.getContext().setAuthentication(alice);
		assertThat(CurrentUser.get()).isSameAs(alice);
	}

	@Test
	void ignoresAnonymousUsers() {
		SecurityContextHolder.getContext()
			.setAuthentication(new AnonymousAuthenticationToken("key", "anonymous",
					AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS")));
		assertThat(CurrentUser.get()).isNull();
	}

	@Test
	void ignoresUsersWhoAreNotAuthenticated() {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", ""));
		assertThat(CurrentUser.get()).isNull();
	}

}
