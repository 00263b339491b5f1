/*
 * A session as bytes. Chapter 8 has the table; here it is as code has it:
 *
 *   NDL_SAVE_HEADER       9 numbers of 8 bytes, the first of them "ndl-save"
 *   NDL_SAVE_LAYER each   slots and written
 *   ndl_bytes             the history; each layer's store and tails; each site's
 *                         tail: four bytes a float and a token, one a code
 *   NDL_SAVE_CHECKSUM     FNV-1a, 64 bits, of all bytes before
 *
 * The sum fits a size_t: ndl_bytes is at most NDL_MAX_BYTES, half of what that
 * can say, and the rest at most 72 + 64 * 16 + 8 bytes.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_SAVE_H
#define NDL_STATE_SAVE_H

#include "geometry.h"
#include "little.h"
#include "ndl.h"

#define NDL_SAVE_HEADER 72
#define NDL_SAVE_LAYER 16
#define NDL_SAVE_CHECKSUM 8

#include "../logic/save.acsl"

/** What of a geometry a save has: FNV-1a, 64 bits, of what of it is looked at,
 *  as numbers of 8 bytes. g must be valid. Claims: SES_010 SES_013. Chapter: 8. */
/*@ requires g: \valid_read(g);
    requires layers: g->num_layers <= NDL_MAX_LAYERS;
    requires orders: g->engram.num_orders <= NDL_MAX_ORDERS;
    requires sites: g->engram.num_sites <= NDL_MAX_SITES;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: numbers: \result == geo_hash(g);
*/
uint64_t ndl_geometry_hash(const ndl_geometry *g);

/** Whether bytes are a whole and unaltered save of this version: what can be said
 *  without a geometry. Claims: SES_012. Chapter: 8. */
/*@ requires from: \valid_read(bytes + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: begins: \result == NDL_E_SAVE <==> !save_begins(bytes, len);
    ensures SES_012: version: \result == NDL_E_SAVE_VERSION <==>
      save_begins(bytes, len) && 16 <= len && !save_versioned(bytes, len);
    ensures SES_012: length: \result == NDL_E_SAVE_LENGTH <==>
      (save_begins(bytes, len) && len < 16) ||
      (save_versioned(bytes, len) && !save_measured(bytes, len));
    ensures SES_012: checksum: \result == NDL_E_SAVE_CHECKSUM <==>
      save_measured(bytes, len) && !save_whole(bytes, len);
    ensures SES_012: whole: \result == NDL_OK <==> save_whole(bytes, len);
*/
ndl_status ndl_save_frame(const uint8_t *bytes, size_t len);

#endif
