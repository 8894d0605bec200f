package com.example;

import org.springframework.data.jpa.repository.JpaRepository;

/** The items of the shop. */
public interface ItemRepository extends JpaRepository<Item, String> {

}
