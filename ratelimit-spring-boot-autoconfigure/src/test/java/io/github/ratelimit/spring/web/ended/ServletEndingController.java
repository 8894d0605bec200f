package io.github.ratelimit.spring.web.ended;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.http.HttpServletResponse;

import io.github.ratelimit.RateLimited;

import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * A controller whose methods have results that only Spring MVC understands.
 */
@RestController
class ServletEndingController implements ErrorController {

	private final Calls calls;

	private final EndingService service;

	ServletEndingController(Calls calls, EndingService service) {
		this.calls = calls;
		this.service = service;
	}

	@GetMapping("/value/{ending}/{id}")
	@UntilItEnds
	String value(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		this.calls.end(id).join();
		return "value";
	}

	@GetMapping("/callable/{ending}/{id}")
	@UntilItEnds
	Callable<String> callable(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return () -> call(ending, id);
	}

	@GetMapping("/task/{ending}/{id}")
	@UntilItEnds
	WebAsyncTask<String> task(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return new WebAsyncTask<>(() -> call(ending, id));
	}

	private String call(Ending ending, String id) throws Exception {
		if (ending == Ending.TIMES_OUT) {
			TimeUnit.SECONDS.sleep(20);
		}
		this.calls.end(id).get();
		if (ending == Ending.FAILS) {
			throw new Failure();
		}
		return "call";
	}

	@GetMapping("/deferred/{ending}/{id}")
	@UntilItEnds
	DeferredResult<String> deferred(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		DeferredResult<String> result = new DeferredResult<>();
		if (ending != Ending.TIMES_OUT) {
			this.calls.whenEnded(id,
					() -> result.setErrorResult((ending == Ending.FAILS) ? new Failure() : "deferred"));
		}
		return result;
	}

	@GetMapping("/emitter/{ending}/{id}")
	@UntilItEnds
	ResponseBodyEmitter emitter(@PathVariable Ending ending, @PathVariable String id) {
		return emit(new ResponseBodyEmitter(), ending, id);
	}

	@GetMapping("/events/{ending}/{id}")
	@UntilItEnds
	SseEmitter events(@PathVariable Ending ending, @PathVariable String id) {
		return emit(new SseEmitter(), ending, id);
	}

	@GetMapping("/events-entity/{ending}/{id}")
	@UntilItEnds
	ResponseEntity<SseEmitter> eventsEntity(@PathVariable Ending ending, @PathVariable String id) {
		return ResponseEntity.ok(emit(new SseEmitter(), ending, id));
	}

	private <T extends ResponseBodyEmitter> T emit(T emitter, Ending ending, String id) {
		this.calls.begin(id, ending);
		switch (ending) {
			case CLIENT_LEAVES -> this.calls.repeatLater(() -> emitter.send("part"));
			case TIMES_OUT -> {
			}
			case COMPLETES -> this.calls.whenEnded(id, emitter::complete);
			case BREAKS -> this.calls.repeat(() -> {
				emitter.send("part");
				emitter.completeWithError(new Failure());
			});
			default -> this.calls.whenEnded(id, () -> emitter.completeWithError(new Failure()));
		}
		return emitter;
	}

	@GetMapping("/stream/{ending}/{id}")
	@UntilItEnds
	StreamingResponseBody stream(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return (body) -> write(ending, id, body);
	}

	@GetMapping("/stream-entity/{ending}/{id}")
	@UntilItEnds
	ResponseEntity<StreamingResponseBody> streamEntity(@PathVariable Ending ending, @PathVariable String id) {
		this.calls.begin(id, ending);
		return ResponseEntity.ok((body) -> write(ending, id, body));
	}

	private void write(Ending ending, String id, OutputStream body) throws IOException {
		if (ending == Ending.TIMES_OUT) {
			sleep();
		}
		this.calls.end(id).join();
		do {
			if (ending == Ending.FAILS) {
				throw new Failure();
			}
			body.write("part".getBytes(StandardCharsets.UTF_8));
			body.flush();
			if (ending == Ending.BREAKS) {
				throw new Failure();
			}
		}
		while (ending == Ending.CLIENT_LEAVES);
	}

	private static void sleep() {
		try {
			TimeUnit.SECONDS.sleep(20);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@GetMapping("/service/{ending}/{id}")
	DeferredResult<String> service(@PathVariable Ending ending, @PathVariable String id) {
		return this.service.call(ending, id);
	}

	@GetMapping("/refused")
	void refuse(HttpServletResponse response) throws IOException {
		response.sendError(HttpServletResponse.SC_GONE);
	}

	@RequestMapping("/error")
	@RateLimited("pages")
	ResponseEntity<String> error() {
		return ResponseEntity.status(HttpServletResponse.SC_GONE).body("gone");
	}

	@GetMapping("/forward/{ending}/{id}")
	ModelAndView forward(@PathVariable Ending ending, @PathVariable String id) {
		return new ModelAndView("forward:/deferred/" + ending + "/" + id);
	}

	/** A service whose result the controller passes on. */
	static class EndingService {

		private final Calls calls;

		EndingService(Calls calls) {
			this.calls = calls;
		}

		@UntilItEnds
		DeferredResult<String> call(Ending ending, String id) {
			return new ServletEndingController(this.calls, this).deferred(ending, id);
		}

	}

}
