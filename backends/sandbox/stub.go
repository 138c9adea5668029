//go:build !linux || !(amd64 || arm64)

package sandbox

import "errors"

const why = "this system has none that irc knows"

// Close closes nothing here.
func Close() State { return State{Missing: why} }

// ReadOnly does nothing here.
func ReadOnly() (version int, err error) { return 0, nil }

// CloseFiles does nothing here.
func CloseFiles(first int) error { return errors.New(why) }

// CallName is the name of a system call.
func CallName(number uint64) string { return "" }
