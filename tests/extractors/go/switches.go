package p

func switches(n int, i any, a, b chan int) int {
	switch n := n + 1; n {
	case 1, 2:
		return 1
	case 3:
		fallthrough
	default:
		n = 2
	}
	switch {
	case n > 1:
		break
	}
	switch v := i.(type) {
	case nil:
		return 0
	case *int:
		return *v
	case string, error:
		_ = v
	}
	select {
	case v, ok := <-a:
		_, _ = v, ok
	case b <- 1:
	default:
	}
	select {}
}
