// Package files reads inputs and writes results: a result takes its place when it is complete, and what a run leaves
// unfinished is removed when the run ends.
//
//   - A File is written beside the path that it replaces, without a name where the system can make such a file.
//   - What is Unfinished is dropped once the run is over, whatever ended it; nothing is added after.
//   - A large regular file is mapped for reading; its pages can be given back.
package files
