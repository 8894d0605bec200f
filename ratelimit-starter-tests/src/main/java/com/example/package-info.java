/** Applications of several kinds, each of which uses what its starters bring. */
@NullMarked
package com.example;

import org.jspecify.annotations.NullMarked;
