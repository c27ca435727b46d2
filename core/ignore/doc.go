// Package ignore reads ignore files and decides by git's rules, exactly: gitignore(5) where it speaks and git's own
// behaviour where it does not. It owns the parsing of one file and the match of one path against it; which files there
// are, and that nothing in an ignored directory is looked at again, is the walk's business (core/scan).
//
// Paths are bytes, compared byte by byte; case counts. The time of a match is bounded by the length of the pattern
// times the length of the path, whatever the pattern.
//
// Three of git's habits that are easily missed, and kept:
//
//   - spaces at the end of a line are no part of a pattern, tabs are, and a carriage return is none if it ends the line;
//   - the literal start of a pattern is compared first and taken off, and a "**" that then stands at the front counts
//     as one that stands alone: "a/b**/c" matches a/b/x/c and a/bx/y/c;
//   - a class without an end, a class name that does not exist and a backslash at the end match nothing.
package ignore
