package io.github.ratelimit.pairs;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.RateLimited;
import io.github.ratelimit.decision.Decision;
import io.github.ratelimit.pairs.Part.Source;
import io.github.ratelimit.pairs.Row.Door;
import io.github.ratelimit.pairs.Row.Returns;
import io.github.ratelimit.pairs.Served.Answer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberAttributeExtension;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.matcher.ElementMatchers;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/**
 * Controllers by what they return, with the annotations of a row.
 */
final class Controllers {

	private Controllers() {
	}

	/** Returns the class of a row's controller. */
	static Class<?> of(Row row) {
		Class<?> controller = unlimited(row.returns());
		DynamicType.Builder<?> limited = new ByteBuddy().with(TypeValidation.DISABLED)
			.redefine(controller)
			.name(controller.getPackageName() + "." + row.toString().replace(' ', '_'));
		return limited.topLevelType()
			.annotateType(annotations(row, Source.CLASS))
			.visit(new MemberAttributeExtension.ForMethod().annotateMethod(annotations(row, Source.METHOD))
				.on(ElementMatchers.named("call")))
			.make()
			.load(controller.getClassLoader(), ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
			.getLoaded();
	}

	private static Class<?> unlimited(Returns returns) {
		return switch (returns) {
			case VALUE -> Value.class;
			case MONO -> OfMono.class;
			case FLUX -> OfFlux.class;
			case FUTURE -> OfFuture.class;
			case CALLABLE -> OfCallable.class;
			case DEFERRED -> OfDeferred.class;
		};
	}

	private static List<AnnotationDescription> annotations(Row row, Source source) {
		List<AnnotationDescription> annotations = new ArrayList<>();
		row.door()
			.parts()
			.stream()
			.filter((part) -> part.source() == source)
			.forEach((part) -> annotations.add(annotation(row, part)));
		if (annotations.size() < 2) {
			return annotations;
		}
		return List.of(AnnotationDescription.Builder.ofType(RateLimited.List.class)
			.defineAnnotationArray("value", TypeDescription.ForLoadedType.of(RateLimited.class),
					annotations.toArray(AnnotationDescription[]::new))
			.build());
	}

	private static AnnotationDescription annotation(Row row, Part part) {
		AnnotationDescription.Builder annotation = AnnotationDescription.Builder.ofType(RateLimited.class)
			.define("policy", part.policy());
		if (row.door() == Door.ARGUMENT) {
			annotation = annotation.define("key", "#who");
		}
		else if (part.key().startsWith("header:x-second")) {
			annotation = annotation.define("key", "header:X-Second");
		}
		return (part.isVaried() ? withOutcome(annotation.define("cost", "2"), row) : annotation).build();
	}

	private static AnnotationDescription.Builder withOutcome(AnnotationDescription.Builder annotation, Row row) {
		return switch (row.outcome()) {
			case NONE -> annotation;
			case ACTUAL -> annotation.define("actual", "1");
			case CHARGE_ON -> annotation.defineTypeArray("chargeOn", Served.Failure.class);
			case REFUND_ON -> annotation.defineTypeArray("refundOn", Served.Failure.class);
			case CHARGE_WHEN -> annotation.define("chargeWhen", "#response.status == 409");
			case REFUND_WHEN -> annotation.define("refundWhen", "#response.status == 409");
		};
	}

	/** A controller whose method returns a value. */
	@RestController
	static class Value {

		private final Served served;

		Value(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public Answer call(@RequestParam String who, @RequestParam int n, @RequestParam boolean fails,
				Decision decision) {
			this.served.requireCurrent(decision);
			return this.served.answer(decision, fails);
		}

	}

	/** A controller whose method returns a mono. */
	@RestController
	static class OfMono {

		private final Served served;

		OfMono(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public Mono<Answer> call(@RequestParam String who, @RequestParam int n, @RequestParam boolean fails,
				Decision decision) {
			return Mono.fromCallable(() -> this.served.answer(decision, fails))
				.subscribeOn(Schedulers.boundedElastic());
		}

	}

	/** A controller whose method returns a flux. */
	@RestController
	static class OfFlux {

		private final Served served;

		OfFlux(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public Flux<Answer> call(@RequestParam String who, @RequestParam int n, @RequestParam boolean fails,
				Decision decision) {
			return Flux.defer(() -> Flux.just(this.served.answer(decision, fails)))
				.subscribeOn(Schedulers.boundedElastic());
		}

	}

	/** A controller whose method returns a future. */
	@RestController
	static class OfFuture {

		private final Served served;

		OfFuture(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public CompletableFuture<Answer> call(@RequestParam String who, @RequestParam int n,
				@RequestParam boolean fails, Decision decision) {
			return CompletableFuture.supplyAsync(() -> this.served.answer(decision, fails));
		}

	}

	/** A controller whose method returns a callable. */
	@RestController
	static class OfCallable {

		private final Served served;

		OfCallable(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public Callable<Answer> call(@RequestParam String who, @RequestParam int n, @RequestParam boolean fails,
				Decision decision) {
			return () -> this.served.answer(decision, fails);
		}

	}

	/** A controller whose method returns a deferred result. */
	@RestController
	static class OfDeferred {

		private final Served served;

		OfDeferred(Served served) {
			this.served = served;
		}

		@GetMapping("/row")
		public DeferredResult<Answer> call(@RequestParam String who, @RequestParam int n, @RequestParam boolean fails,
				Decision decision) {
			DeferredResult<Answer> result = new DeferredResult<>();
			CompletableFuture<?> unused = CompletableFuture.supplyAsync(() -> this.served.answer(decision, fails))
				.handle((answer, ex) -> result
					.setErrorResult((ex != null) ? Objects.requireNonNull(ex.getCause()) : answer));
			return result;
		}

	}

}
