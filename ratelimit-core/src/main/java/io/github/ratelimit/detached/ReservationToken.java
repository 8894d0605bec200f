package io.github.ratelimit.detached;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import io.github.ratelimit.store.DetachedReservations;

/**
 * A token of a detached reservation: the places of its charges in a store. Whoever has it
 * can settle the reservation, and nothing else.
 *
 * @param local whether the charges are in the memory of the process, as the store had
 * failed
 * @param refunded whether charges are refunded if they are not settled
 * @param places the places of the charges, from 1 to {@value #MOST_PLACES}
 */
record ReservationToken(boolean local, boolean refunded, List<byte[]> places) {

	/** The most charges of a reservation that can be detached. */
	static final int MOST_PLACES = 64;

	private static final int VERSION = 1;

	private static final int LOCAL = 1;

	private static final int REFUNDED = 2;

	/**
	 * Reads a token.
	 * @throws IllegalArgumentException if it has another form. The message does not
	 * repeat it
	 */
	static ReservationToken parse(String text) {
		try {
			return read(ByteBuffer.wrap(Base64.getUrlDecoder().decode(text)));
		}
		catch (IllegalArgumentException | BufferUnderflowException ex) {
			throw malformed();
		}
	}

	private static ReservationToken read(ByteBuffer bytes) {
		int version = bytes.get();
		int flags = bytes.get();
		int count = bytes.get();
		if (version != VERSION || (flags & ~(LOCAL | REFUNDED)) != 0 || count < 1 || count > MOST_PLACES) {
			throw malformed();
		}
		List<byte[]> places = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			byte[] place = new byte[Byte.toUnsignedInt(bytes.get())];
			bytes.get(place);
			places.add(place);
		}
		if (bytes.hasRemaining()) {
			throw malformed();
		}
		return new ReservationToken((flags & LOCAL) != 0, (flags & REFUNDED) != 0, places);
	}

	/** Returns the exception for a text that is no token, which it does not repeat. */
	static IllegalArgumentException malformed() {
		return new IllegalArgumentException("'token' must be the token of a detached reservation, unchanged");
	}

	/** Returns the token as text that is safe in URLs, headers and messages. */
	String text() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.write(VERSION);
		bytes.write((this.local ? LOCAL : 0) | (this.refunded ? REFUNDED : 0));
		bytes.write(this.places.size());
		for (byte[] place : this.places) {
			if (place.length > DetachedReservations.LONGEST_PLACE) {
				throw new IllegalStateException(
						"a place has at most " + DetachedReservations.LONGEST_PLACE + " bytes, had " + place.length);
			}
			bytes.write(place.length);
			bytes.writeBytes(place);
		}
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
	}

}
