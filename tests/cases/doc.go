// Package cases holds programs of which it is known what the compiler has to make of them: those
// of the papers and systems that came before, sections 6 to 10 of a collection of cases, and more
// of each kind. Each is judged on four axes, never on its text: what it prints and gives (V),
// how many ops of a kind there are (S), on which level they stand (P), how often they run (D).
//
//	6.1, 6.2           TestConditionals
//	7.1 to 7.8         TestStructs
//	8.1, 8.2, 8.3      TestVectors, TestWorklist and TestCases of tests/extend/lms, whose ops they are about
//	8.5                TestDelayedDuringPhase of ir
//	9.1 to 9.4         TestFusion
//	9.5                TestGroups
//	9.6                TestCollections
//	9.7 to 9.19        TestFusion
//	10.1               TestFFT
package cases
