// Package probe measures what this machine does at most, on one core: how many operations on floats in a second, and how
// many bytes come from behind each of its caches. Programs as small as they can be are run as native code, each some times,
// and the best of the times counts: what other processes take away makes a bound too low, never a time.
package probe
