/*
 * What ndl.h declares of a model file's header, with its contract.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_CACT_H
#define NDL_CACT_H

#include "geometry.h"

#define NDL_CACT_TAG 0x05E12A84u

#include "../logic/cact.acsl"

/*@ requires from: \valid_read(bytes + (0 .. len - 1));
    requires to: \valid(g) && \valid(precision);
    requires apart: \separated(g, precision) &&
      \separated(g, bytes + (0 .. len - 1)) && \separated(precision, bytes + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns *g, *precision;
    ensures GEO_009: short: len < NDL_CACT_HEADER ==> \result == NDL_E_CACT;
    ensures GEO_009: tag: \forall integer key; NDL_CACT_HEADER <= len &&
      is_header{Pre}(bytes, key) ==>
      (\result == NDL_E_CACT <==> cact_field(key, 0) != NDL_CACT_TAG);
    ensures GEO_009: tables: \forall integer key; NDL_CACT_HEADER <= len &&
      is_header{Pre}(bytes, key) && cact_field(key, 0) == NDL_CACT_TAG ==>
      (\result == NDL_E_CACT_TABLES <==> !cact_tables(key));
    ensures GEO_009: geometry: \forall integer key; \result == NDL_OK &&
      is_header{Pre}(bytes, key) ==> is_cact(key, g);
    ensures GEO_009: valid: \result == NDL_OK ==> geometry_ok(g);
    ensures GEO_009: precision: \forall integer key; \result == NDL_OK &&
      is_header{Pre}(bytes, key) ==>
      *precision == (cact_field(key, 4) == 8 ? NDL_INT8 : NDL_F32);
    ensures SES_001: unchanged: \result != NDL_OK ==> same_geometry{Pre, Post}(g, g);
    ensures SES_001: precision: \result != NDL_OK ==> *precision == \old(*precision);
*/
ndl_status ndl_geometry_from_cact(const uint8_t *bytes, size_t len, ndl_geometry *g,
                                  ndl_precision *precision);

#endif
