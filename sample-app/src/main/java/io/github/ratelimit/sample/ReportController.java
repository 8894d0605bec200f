package io.github.ratelimit.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Reports for users who have logged in.
 */
@RestController
class ReportController {

	private final ReportPrinter printer;

	ReportController(ReportPrinter printer) {
		this.printer = printer;
	}

	@GetMapping("/reports/{month}")
	String report(@PathVariable String month) {
		return this.printer.print(month);
	}

}
