package p

func closures(n int) func() int {
	total := 0
	add := func(m int) (sum int) {
		total += m
		sum = total
		inner := func() { sum, n = n, 1 }
		inner()
		return
	}
	for i := range 3 {
		func(n int) { add(n + i) }(i)
	}
	return func() int { return add(1) }
}

func generic[T any, L ~[]T](all L, none T) (first T) {
	for _, each := range all {
		return each
	}
	return none
}

func uses() int { return generic[int, []int](nil, 1) + generic([]int{1}, 2) }
