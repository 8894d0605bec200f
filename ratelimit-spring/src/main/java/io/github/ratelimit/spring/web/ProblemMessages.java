package io.github.ratelimit.spring.web;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * The texts of problem details in the words and languages of an application. They are the
 * messages that Spring looks up for exceptions of its own:
 * {@code problemDetail.title.CLASS} and {@code problemDetail.CLASS}, for the class of the
 * rejecting exception or else a superclass. Thread-safe.
 */
public final class ProblemMessages {

	/** The messages of an application that has none. */
	public static final ProblemMessages NONE = new ProblemMessages(null);

	/** The most languages to keep, as clients name them. */
	private static final int MOST_LOCALES = 64;

	private final @Nullable MessageSource source;

	private final Map<Class<?>, Map<Locale, Texts>> known = new ConcurrentHashMap<>();

	/**
	 * Creates messages.
	 * @param source the messages of the application, or {@code null} if it has none
	 */
	public ProblemMessages(@Nullable MessageSource source) {
		this.source = source;
	}

	/**
	 * Returns the texts of a rejection.
	 * @param rejection the class of the exception
	 * @param locale supplies the language of the request, if it matters
	 */
	Texts of(Class<?> rejection, Supplier<@Nullable Locale> locale) {
		if (this.source == null) {
			return Texts.STANDARD;
		}
		Locale language = Objects.requireNonNullElseGet(locale.get(), Locale::getDefault);
		Map<Locale, Texts> texts = this.known.computeIfAbsent(rejection, (unknown) -> new ConcurrentHashMap<>());
		Texts found = texts.get(language);
		if (found == null) {
			found = find(this.source, rejection, language);
			if (texts.size() < MOST_LOCALES) {
				texts.put(language, found);
			}
		}
		return found;
	}

	private static Texts find(MessageSource source, Class<?> rejection, Locale locale) {
		return new Texts(message(source, rejection, ErrorResponse::getDefaultTitleMessageCode, locale),
				message(source, rejection, (type) -> ErrorResponse.getDefaultDetailMessageCode(type, null), locale));
	}

	private static @Nullable String message(MessageSource source, Class<?> rejection, Function<Class<?>, String> codes,
			Locale locale) {
		for (Class<?> type = rejection; type != RuntimeException.class && type != null; type = type.getSuperclass()) {
			String code = codes.apply(type);
			String message = source.getMessage(code, null, null, locale);
			if (message != null && !message.equals(code)) {
				return message;
			}
		}
		return null;
	}

	/**
	 * The texts of an application for a problem.
	 *
	 * @param title the title, or {@code null} for the standard one
	 * @param detail the detail, or {@code null} for none
	 */
	record Texts(@Nullable String title, @Nullable String detail) {

		/** The texts of an application without messages. */
		static final Texts STANDARD = new Texts(null, null);

		/** Replaces the texts of a problem. */
		void applyTo(ProblemDetail problem) {
			if (this.title != null) {
				problem.setTitle(this.title);
			}
			if (this.detail != null) {
				problem.setDetail(this.detail);
			}
		}

	}

}
