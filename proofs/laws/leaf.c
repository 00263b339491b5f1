/*
 * The float leaves, which are all in a header, as a unit of their own: proved
 * over floats and not over reals, with F_ADD and its like bound to the
 * operations of WP's IEEE 754 theory by proofs/float.driver.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "leaf.h"
