/*
 * A step in lanes, which is in a header, as a unit of its own.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "lanes.h"
