size_t ndl_ring_want(size_t slots, size_t pos)
{
    size_t want = pos < slots ? slots : pos + 1;

    //@ assert KV_002: fits: pos < want;
    return want;
}
