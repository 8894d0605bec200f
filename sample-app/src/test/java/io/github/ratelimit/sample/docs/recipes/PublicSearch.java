package io.github.ratelimit.sample.docs.recipes;

import java.time.Duration;

import org.springframework.context.annotation.Profile;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A search whose results a CDN keeps for a minute.
 */
@Profile("docs")
@RestController
class PublicSearch {

	@GetMapping("/search")
	ResponseEntity<String> search(@RequestParam String q) {
		CacheControl minute = CacheControl.maxAge(Duration.ofMinutes(1)).cachePublic();
		return ResponseEntity.ok().cacheControl(minute).body("Results for " + q);
	}

}
