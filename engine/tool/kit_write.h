/* A kit as a folder: traces, manifest.json, README.md. */
#ifndef TOOL_KIT_WRITE_H
#define TOOL_KIT_WRITE_H

#include "kit.h"

/* Makes the folder, or finds it empty. */
bool kit_folder(const char *folder, problem *p);

/* False: p says what is wrong with the path in about. */
enum { PATH_TEXT = 4096 };
bool kit_write(const kit *k, const char *folder, char about[PATH_TEXT], problem *p);

/* "kit-01.jsonl". Returns out. */
enum { NAME_TEXT = 32 };
const char *kit_name(char out[NAME_TEXT], size_t i);

/*
 * Reads the traces back: the engine passes them all, each hypothesis that can be told
 * from it fails one. False: p names the first for which it is not so.
 */
bool kit_check(const kit *k, const char *folder, problem *p);

#endif
