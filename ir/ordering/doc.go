// Package ordering holds what the ops that stand in one region of a schedule need of one another (Order), and
// sets of them that one op may replace (Groups). It stands on package ir alone and knows no dialect.
package ordering
