package com.example;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An item of the shop. */
@Entity
public class Item {

	@Id
	private String name = "";

	/**
	 * Returns the name.
	 * @return the name
	 */
	public String getName() {
		return this.name;
	}

}
