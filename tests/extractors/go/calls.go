package p

import (
	"fmt"
	alias "os"
)

type T struct{ run func(int) error }

func (t *T) pointer(n int) (int, error) { return n, t.run(n) }
func (t T) value()                      {}

type I interface{ method() *T }

func pair() (int, error)              { return 1, nil }
func take(n int, err error, i ...any) {}

func calls(t *T, i I, other Other) {
	t.pointer(1)
	t.value()
	i.method().value()
	other.method(t)
	take(pair())
	take(1, nil, t, 2)
	fmt.Println(alias.Args...)
	_ = int(3)
	_ = (*T)(nil)
	_ = I(nil)
	defer i.method()
	go take(1, nil)
	defer t.value()
}

func builtins(s []int, m map[string]int) {
	s = append(s, 1, 2)
	s = append(s, s...)
	delete(m, "a")
	_ = make([]int, len(s), cap(s))
	_ = new(T)
	defer func() { _ = recover() }()
	panic("p")
}
