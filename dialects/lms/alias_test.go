package lms_test

var aliasCases = []testCase{}
