/* The lemmas that units of attention use, and what proves them. WP leaves a unit's
 * lemmas alone where it is told to leave functions alone, as those units do with the
 * float leaves.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "../../engine/logic/cell.acsl"

/*@ lemma md_split: \forall integer p, n; 0 <= p && 0 < n ==> p == off(p / n, n) + md(p, n);
    lemma md_of: \forall integer q, k, r, n;
      0 <= q && 0 <= r < n && q == off(k, n) + r ==> md(q, n) == r;
    lemma off_next: \forall integer k, n; off(k, n) + n == off(k + 1, n);
    lemma cell_cell: \forall integer s, n, h, d, c;
      cell(cell(s, n, h), d, c) == off(s, off(n, d)) + off(h, d) + c;
*/

#include "attend.h"
