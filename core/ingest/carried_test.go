package ingest_test

func helpUnprivileged(string) int { return 0 }
