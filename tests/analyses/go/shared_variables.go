// Variables of a package that are nil until a function sets them. How likely such a nil is, by how many functions test
// the variable and how many rely on it, is not asked here.
package main

type config struct{ name string }

var late *config

var set = &config{}

func setUp(c *config) {
	late = c
}

func lateBad() string {
	return late.name // null.attribute
}

func testedOk() string {
	if late != nil {
		return late.name
	}
	return set.name
}
