package io.github.ratelimit.sample.docs.recipes;

import io.github.ratelimit.RateLimited;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/**
 * Uploads that cost a permit for each megabyte, or part of one.
 */
@Profile("docs")
@RestController
class Uploads {

	@PostMapping("/uploads")
	@RateLimited(policy = "uploads", cost = "#file.size / 1048576.0")
	String upload(@RequestParam MultipartFile file) {
		return "Stored " + file.getSize() + " bytes";
	}

}
