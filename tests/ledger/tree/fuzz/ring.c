/* A slot is below the slots, whatever the position. */
int one_input(const uint8_t *data, size_t size)
{
    HOLDS(data[0] % (size + 1) <= size, "KV_001 the slot is below the slots");
    return 0;
}
