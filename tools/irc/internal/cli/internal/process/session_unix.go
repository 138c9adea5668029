//go:build unix && !linux

package process

import "syscall"

// OwnSession is how a check is started.
func OwnSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// EndSession kills what is in the first group of a session.
func EndSession(leader int) error { return syscall.Kill(-leader, syscall.SIGKILL) }

// EndRest kills what a check that has ended left running in the background.
func EndRest(leader int) { syscall.Kill(-leader, syscall.SIGKILL) }
