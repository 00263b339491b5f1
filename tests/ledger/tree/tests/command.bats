@test "TOK_001 the hash of nothing" {
    true
}

@test "prints its usage" {
    true
}
