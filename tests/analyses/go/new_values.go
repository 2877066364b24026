// `new` of a value (Go 1.26): a pointer to a new variable, never nil itself.
package values

type node struct{ name string }

func find(n int) *node {
	if n > 3 {
		return nil
	}
	return &node{}
}

func sumOk(n int) int {
	count := new(n + 1)
	return *count
}

func resultOk(n int) *node {
	held := new(find(n))
	return *held
}

func variableOk(n int) int {
	copied := new(n)
	return *copied
}

func resultBad(n int) string {
	held := new(find(n))
	return (*held).name // null.attribute
}

func behindOk(n int) string {
	size := new(len("text") * n)
	found := find(n)
	if found == nil {
		return ""
	}
	*size++
	return found.name
}

func behindBad(n int) string {
	size := new(len("text") * n)
	found := find(n)
	*size++
	return found.name // null.attribute
}
