package plugin

// ballastSize makes the heap grow to 32 MiB before it is collected, where Go's own floor is 4 MiB. The splitting of one
// file leaves nothing behind, so that nearly all of what collecting more often costs is wasted: a third of the CPU time
// of plugins/markdown over small files.
const ballastSize = 16 << 20

// ballast is memory that the collector counts and nothing touches, so that it is not taken from the machine. Unlike a
// higher GOGC it does not make large heaps larger in proportion.
func ballast() []byte { return make([]byte, ballastSize) }
