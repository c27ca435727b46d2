// Package host starts splitter plugins and speaks to them. A Plugin is one process; it is a sdk.Splitter whose calls
// end with the caller's context.
//
// What it promises (I13, and what operators fear of child processes):
//
//   - A plugin does not outlive its host: it is killed by the kernel when the host dies, and its standard input ends.
//   - Close takes bounded time, whatever the plugin or a process it has started does.
//   - The environment is a short list of our own, the descriptors are standard input, output and error.
//   - The program that runs is the program that was hashed, byte for byte, unless it is a script.
//   - The socket lies in a folder of mode 0700, and the process at its other end is the one that was started.
//   - Output is bounded, escaped and tagged; it cannot pose as a record of the host's own.
//   - "Not a plugin", "died", "timed out", "broke the contract" and "refused the file" are different errors.
//
// It does not pool, restart or route: core/dispatch does. It runs on Linux.
package host
