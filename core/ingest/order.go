package ingest

// lanes is how many places of a plan are worked on in turn. Each is read in the order of the names, which is mostly that
// of the disk. The number is chosen, not measured.
const lanes = 16

// mixed is an order of n tasks that takes one of each lane in turn. Files that a plugin dies on often stand together, in
// one folder or under one ending: here its good files come between them, and tell it from a plugin that is broken.
func mixed(n int) []int {
	order := make([]int, 0, n)
	long := (n + lanes - 1) / lanes
	for start := range long {
		for i := start; i < n; i += long {
			order = append(order, i)
		}
	}
	return order
}
