// Package process has what systems say differently of processes: signals that end this one, and the session of another
// that is ended with all that it started.
package process
