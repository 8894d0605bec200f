package io.github.ratelimit.spring.expression;

/**
 * The response to a request, as expressions read it. Immutable.
 */
public final class ResponseView {

	private final int status;

	private final long size;

	/**
	 * Creates a view.
	 * @param status the status
	 * @param size the bytes of the body, before compression by the server
	 */
	public ResponseView(int status, long size) {
		this.status = status;
		this.size = size;
	}

	/**
	 * Returns the status.
	 * @return a status such as 200
	 */
	public int getStatus() {
		return this.status;
	}

	/**
	 * Returns the size of the body, before compression by the server.
	 * @return bytes, at least 0
	 */
	public long getSize() {
		return this.size;
	}

}
