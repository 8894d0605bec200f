package io.github.ratelimit.test;

import java.nio.charset.StandardCharsets;

import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;

/**
 * A reader of the responses of MockMvc.
 */
final class MvcResults {

	private MvcResults() {
	}

	static ClientResult of(MvcResult result) {
		MockHttpServletResponse response = result.getResponse();
		return ClientResult.of(response.getStatus(), response::getHeader,
				new String(response.getContentAsByteArray(), StandardCharsets.UTF_8));
	}

}
