// Package dispatch owns the plugin processes: it decides which plugin splits a file, keeps a few processes of each,
// gives a file a deadline, and starts another process where one has died, hung or broken the contract.
//
// What it promises:
//
//   - One process handles one call at a time, so that a crash costs one file. A process that was idle when it died, or
//     that had served others before, is not held against the next file: that one is tried again in a fresh process.
//   - "Died", "timed out", "broke the contract", "refused" and "cancelled" are different errors. All but the last are
//     an *sdk.Error with a code for the document; a cancelled call is ctx.Err(), and a call that Close ended is
//     ErrClosed: neither is the document's fault.
//   - Bad files that stand in a row cost no good one: the pauses between the processes they end are short. Only a plugin
//     that cannot be started, or dies on dozens of files in a row, rests for a growing time; its files get ErrDown at
//     once, which is not held against them, and those of the other plugins go on.
//   - The program of a plugin does not change under a Dispatcher: a process is only started from the bytes that were
//     described (by SHA-256), so that an Identity is true of every outline.
//   - Close takes at most ten seconds, and leaves no process behind.
//
// Outlines come back as the plugin gave them: core/outline checks them (I12).
package dispatch
