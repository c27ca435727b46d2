// Package term is the one place through which cleave prints for people. It knows the terminal's width, whether colour
// is wanted, and that names and texts come from strangers: every string is escaped on its way out, so that none of
// them can move the cursor, change a title or forge a line.
package term
