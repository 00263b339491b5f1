/* What is true of where the parts of a save begin: lemmas for the functions that go
 * through its layers.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_load.h"

#include "../../engine/logic/layout.acsl"
