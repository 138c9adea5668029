// Package report is the table of the bench: a row is printed when it is measured, and all are written as JSON in the end.
package report
