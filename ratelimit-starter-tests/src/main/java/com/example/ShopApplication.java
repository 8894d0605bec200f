package com.example;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application on Spring MVC with a database, a cache and users. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableCaching
public class ShopApplication {

	/** A controller of items. */
	@RestController
	static class ItemController {

		private final ItemRepository items;

		ItemController(ItemRepository items) {
			this.items = items;
		}

		@GetMapping("/items")
		@Cacheable("items")
		long count() {
			return this.items.count();
		}

	}

}
