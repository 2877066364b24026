package shop

type Node struct {
	left  *Node
	right *Node
	value int
	hook  func() int
}

func valueBad(node *Node) int {
	return node.value // null.attribute
}

func value(node *Node) int {
	if node == nil {
		return 0
	}
	return node.value
}

func callers() int {
	return valueBad(nil) + value(nil)
}

func deepBad(node *Node) int {
	return node.value // null.attribute
}

func through(node *Node) int {
	return deepBad(node)
}

func callThrough() int {
	return through(nil)
}

func optionalBad(values ...int) int {
	var node *Node
	if len(values) > 0 {
		node = &Node{value: values[0]}
	}
	return node.value // null.attribute
}

func fieldBad() int {
	node := &Node{value: 1}
	node.left = nil
	return node.left.value // null.attribute
}

func fieldOk() int {
	node := &Node{value: 1}
	node.left = nil
	node.left = &Node{}
	return node.left.value
}

func leftOutBad() int {
	node := &Node{value: 1}
	return node.left.value // null.attribute
}

func leftOutOk() int {
	node := &Node{value: 1, left: &Node{}}
	return node.left.value
}

func positionsOk() int {
	node := Node{&Node{}, nil, 1, nil}
	return node.left.value
}

func positionsBad() int {
	node := Node{&Node{}, nil, 1, nil}
	return node.right.value // null.attribute
}

func testedFieldOk(node *Node) int {
	if node.left == nil {
		return 0
	}
	return node.left.value
}

func fnTestedField(node *Node) int {
	if node.left != nil {
		return 0
	}
	return node.left.value // missed: null.attribute
}

func earlyOk(node *Node) int {
	if node == nil {
		return 0
	}
	if node.left == nil || node.right == nil {
		return node.value
	}
	return node.left.value + node.right.value
}

func hookBad() int {
	node := &Node{}
	return node.hook() // null.call
}

func hookOk() int {
	node := &Node{hook: func() int { return 1 }}
	return node.hook()
}

func (node *Node) fill() {
	node.left = &Node{}
}

func filledOk() int {
	node := &Node{}
	node.fill()
	return node.left.value
}

func copiedBad() int {
	node := Node{}
	other := node
	other.left = &Node{}
	return node.left.value // null.attribute
}

func copiedOk() int {
	node := Node{left: &Node{}}
	other := node
	other.left = nil
	return node.left.value
}
