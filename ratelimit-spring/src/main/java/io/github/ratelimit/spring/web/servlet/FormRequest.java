package io.github.ratelimit.spring.web.servlet;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

import io.github.ratelimit.spring.form.PostedForm;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.web.util.WebUtils;

/**
 * A request whose form was read for the key of a rule. The application reads the same
 * body and parameters as without the rule.
 */
final class FormRequest extends HttpServletRequestWrapper {

	private final PostedForm form;

	private @Nullable Map<String, String[]> parameters;

	private @Nullable ServletInputStream stream;

	private @Nullable BufferedReader reader;

	private FormRequest(HttpServletRequest request, PostedForm form) {
		super(request);
		this.form = form;
	}

	/** Returns whether the form of a request was read before this dispatch. */
	static boolean isRead(HttpServletRequest request) {
		return request.getAttribute(PostedForm.ATTRIBUTE) != null;
	}

	/** Returns whether a request posts a form of a size that is read. */
	static boolean isReadable(HttpServletRequest request) {
		return PostedForm.isReadable(request.getMethod(), request.getContentType(), request.getCharacterEncoding(),
				request.getContentLengthLong());
	}

	/** Reads the form of a request, unless the request is dispatched again. */
	static HttpServletRequest of(HttpServletRequest request) throws IOException {
		if (WebUtils.getNativeRequest(request, FormRequest.class) != null) {
			return request;
		}
		PostedForm form = (request.getAttribute(PostedForm.ATTRIBUTE) instanceof PostedForm known) ? known
				: read(request);
		request.setAttribute(PostedForm.ATTRIBUTE, form);
		return form.hasBody() ? new FormRequest(request, form) : request;
	}

	/** Falls back to the parameters that an earlier filter made the container read. */
	private static PostedForm read(HttpServletRequest request) throws IOException {
		byte[] body = request.getInputStream().readNBytes(PostedForm.MOST_BYTES);
		return (body.length > 0) ? PostedForm.parse(body, query(request))
				: PostedForm.of(body,
						request.getParameterMap()
							.entrySet()
							.stream()
							.collect(Collectors.toMap(Map.Entry::getKey, (parameter) -> List.of(parameter.getValue()))),
						Set.of());
	}

	/**
	 * Returns the names of what is left for the container to read, or null if it fails.
	 */
	private static @Nullable Set<String> query(HttpServletRequest request) {
		try {
			return (request.getQueryString() != null) ? request.getParameterMap().keySet() : Set.of();
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	@Override
	public @Nullable String getParameter(String name) {
		String[] values = getParameterMap().get(name);
		return (values != null) ? values[0] : null;
	}

	@Override
	public String @Nullable [] getParameterValues(String name) {
		String[] values = getParameterMap().get(name);
		return (values != null) ? values.clone() : null;
	}

	@Override
	public Enumeration<String> getParameterNames() {
		return Collections.enumeration(getParameterMap().keySet());
	}

	@Override
	public Map<String, String[]> getParameterMap() {
		Map<String, String[]> known = this.parameters;
		if (known == null) {
			known = Collections.unmodifiableMap(merged());
			this.parameters = known;
		}
		return known;
	}

	/**
	 * Returns the parameters of the query, then those of the form. Without a query, the
	 * container's are those of the form, if it has any.
	 */
	private Map<String, String[]> merged() {
		Map<String, String[]> merged = new LinkedHashMap<>(super.getParameterMap());
		boolean hasQuery = getQueryString() != null;
		this.form.fields()
			.forEach((name, values) -> merged.merge(name, StringUtils.toStringArray(values),
					(others, own) -> hasQuery ? StringUtils.concatenateStringArrays(others, own) : own));
		return merged;
	}

	@Override
	public ServletInputStream getInputStream() {
		if (this.stream == null) {
			this.stream = new Body(this.form.body());
		}
		return this.stream;
	}

	@Override
	public BufferedReader getReader() {
		if (this.reader == null) {
			String encoding = getCharacterEncoding();
			Charset charset = (encoding != null) ? Charset.forName(encoding) : StandardCharsets.ISO_8859_1;
			this.reader = new BufferedReader(new InputStreamReader(getInputStream(), charset));
		}
		return this.reader;
	}

	/** A body that is there at once. */
	private static final class Body extends ServletInputStream {

		private final ByteArrayInputStream bytes;

		Body(byte[] bytes) {
			this.bytes = new ByteArrayInputStream(bytes);
		}

		@Override
		public int read() {
			return this.bytes.read();
		}

		@Override
		public int read(byte[] buffer, int offset, int length) {
			return this.bytes.read(buffer, offset, length);
		}

		@Override
		public int available() {
			return this.bytes.available();
		}

		@Override
		public boolean isFinished() {
			return this.bytes.available() == 0;
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setReadListener(ReadListener listener) {
			try {
				listener.onDataAvailable();
				listener.onAllDataRead();
			}
			catch (IOException ex) {
				listener.onError(ex);
			}
		}

	}

}
