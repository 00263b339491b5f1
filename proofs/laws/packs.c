/* What is true of a pack that is left alone: lemmas for the functions that go through
 * those of all kv heads.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend.h"

#include "../../engine/logic/packs.acsl"
