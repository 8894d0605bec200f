package io.github.ratelimit.sample.docs;

import java.util.Locale;

import io.github.ratelimit.spring.login.AccountNames;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Accounts that are found in lower case alone.
 */
@Profile("docs")
@Configuration(proxyBeanMethods = false)
public class LowerCaseAccounts {

	@Bean
	AccountNames accounts() {
		return (typed) -> typed.strip().toLowerCase(Locale.ROOT);
	}

}
