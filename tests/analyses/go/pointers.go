package shop

type Inner struct{ count int }

type Base struct {
	*Inner
	label string
}

type Outer struct {
	Base
	inner Inner
}

func followedBad(set bool) int {
	var count *int
	if set {
		value := 1
		count = &value
	}
	return *count // null.pointer
}

func followedOk() int {
	value := 1
	count := &value
	*count = 2
	return *count
}

func writtenThroughBad() {
	var count *int
	*count = 1 // null.pointer
}

func copiedStructBad() Inner {
	var inner *Inner
	return *inner // null.pointer
}

func copiedStructOk() Inner {
	inner := &Inner{}
	*inner = Inner{count: 2}
	return *inner
}

func embeddedBad() int {
	base := &Base{label: "a"}
	return base.count // null.attribute
}

func embeddedOk() int {
	base := &Base{Inner: &Inner{}, label: "a"}
	return base.count
}

func embeddedTwiceBad() int {
	outer := Outer{Base: Base{}}
	return outer.count // null.attribute
}

func embeddedTwiceOk() int {
	var outer Outer
	return outer.inner.count + len(outer.label)
}

func (i *Inner) add() { i.count++ }

func (b Base) show() string { return b.label }

func promotedOk() {
	outer := &Outer{Base: Base{Inner: &Inner{}}}
	outer.add()
	_ = outer.show()
}

func promotedBad() string {
	var outer *Outer
	return outer.show() // null.attribute
}

func throughAddressOk() int {
	var inner *Inner
	set(&inner)
	return inner.count
}

func set(where **Inner) {
	*where = &Inner{}
}

func unsetBad() int {
	var inner *Inner
	leave(&inner)
	return inner.count // null.attribute
}

func leave(where **Inner) {
	*where = nil
}

func arrayPointerBad() int {
	var table *[3]int
	return table[0] // null.pointer
}

func arrayPointerOk() int {
	table := new([3]int)
	return table[0] + len(table)
}

func newOk() int {
	inner := new(Inner)
	return inner.count
}

func convertedBad() int {
	inner := (*Inner)(nil)
	return inner.count // null.attribute
}

func convertedOk(inner *Inner) int {
	type Alias Inner
	if alias := (*Alias)(inner); alias != nil {
		return alias.count
	}
	return 0
}

type List[T any] struct {
	head *Cell[T]
}

type Cell[T any] struct {
	value T
	next  *Cell[T]
}

func (l *List[T]) firstBad() T {
	l.head = nil
	return l.head.value // null.attribute
}

func (l *List[T]) firstOk() (zero T) {
	if l.head == nil {
		return zero
	}
	return l.head.value
}

func lookupIn[K comparable, V any](table map[K]*V, key K) *V {
	if found, ok := table[key]; ok {
		return found
	}
	return nil
}

func genericBad() int {
	return lookupIn[string, Inner](nil, "a").count // null.attribute
}

func genericOk() int {
	if found := lookupIn(map[string]*Inner{}, "a"); found != nil {
		return found.count
	}
	return 0
}
