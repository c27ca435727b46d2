package object

// Plus is the sum of two counts.
func (c Counts) Plus(o Counts) Counts {
	return Counts{
		Documents: c.Documents + o.Documents,
		Chunks:    c.Chunks + o.Chunks,
		Bytes:     c.Bytes + o.Bytes,
		Stale:     c.Stale + o.Stale,
		Failed:    c.Failed + o.Failed,
	}
}

// Counts is what one entry adds to its tree. A failed entry holds no document, so it adds to Failed alone.
func (e Entry) Counts() Counts {
	if e.State == StateFailed {
		return Counts{Failed: 1}
	}
	c := Counts{Documents: 1, Chunks: e.Chunks, Bytes: e.Bytes}
	if e.State == StateStale {
		c.Stale = 1
	}
	return c
}
