//go:build unix && !linux

package cli

import "syscall"

// ownSession is how a check is started.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// endSession kills what is in the first group of a session.
func endSession(leader int) error { return syscall.Kill(-leader, syscall.SIGKILL) }

// endRest kills what a check that has ended left running in the background.
func endRest(leader int) { syscall.Kill(-leader, syscall.SIGKILL) }
