package lms_test

var branchCases = []testCase{}
