package shop

import (
	"errors"
	"fmt"
	"log"
	"os"
)

var input string

type Order struct {
	total int
}

func find(orders []*Order, total int) *Order {
	for _, order := range orders {
		if order.total == total {
			return order
		}
	}
	return nil
}

func totalBad(orders []*Order) int {
	return find(orders, 3).total // null.attribute
}

func totalOk(orders []*Order) int {
	if order := find(orders, 3); order != nil {
		return order.total
	}
	return 0
}

func parse(text string) (*Order, error) {
	if text == "" {
		return nil, errors.New("empty")
	}
	return &Order{total: len(text)}, nil
}

func ignoredErrorBad() int {
	order, _ := parse(input)
	return order.total // null.attribute
}

func beforeTheTestBad() int {
	order, err := parse(input)
	total := order.total // null.attribute
	if err != nil {
		return 0
	}
	return total
}

func onErrorBad() int {
	order, err := parse(input)
	if err != nil {
		return order.total // null.attribute
	}
	return order.total
}

func loggedOnlyBad() int {
	order, err := parse(input)
	if err != nil {
		fmt.Println(err)
	}
	return order.total // null.attribute
}

func testedOk() int {
	order, err := parse(input)
	if err != nil {
		return 0
	}
	return order.total
}

func elseOk() int {
	if order, err := parse(input); err == nil {
		return order.total
	} else {
		return len(err.Error())
	}
}

func fatalOk() int {
	order, err := parse(input)
	if err != nil {
		log.Fatalf("no order: %v", err)
	}
	return order.total
}

func exitOk() int {
	order, err := parse(input)
	if err != nil {
		os.Exit(1)
	}
	return order.total
}

func panicOk() int {
	order, err := parse(input)
	if err != nil {
		panic(err)
	}
	return order.total
}

func handedOn(text string) (*Order, error) {
	return parse(text)
}

func handedOnBad() int {
	order, _ := handedOn(input)
	return order.total // null.attribute
}

func handedOnOk() int {
	order, err := handedOn(input)
	if err != nil {
		return 0
	}
	return order.total
}

func wrapped(text string) (*Order, error) {
	order, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("wrapped: %w", err)
	}
	return order, nil
}

func wrappedBad() int {
	order, _ := wrapped(input)
	return order.total // null.attribute
}

func wrappedOk() int {
	order, err := wrapped(input)
	if err != nil {
		return 0
	}
	return order.total
}

func shadowedErrorBad(again bool) int {
	order, err := parse(input)
	if again {
		_, err := parse("b")
		if err != nil {
			return 0
		}
	}
	_ = err
	return order.total // null.attribute
}

func shadowedErrorOk(again bool) int {
	order, err := parse(input)
	if again {
		order, err = parse("b")
	}
	if err != nil {
		return 0
	}
	return order.total
}

func lookup(text string) (*Order, bool) {
	if text == "" {
		return nil, false
	}
	return &Order{}, true
}

func foundBad() int {
	order, _ := lookup(input)
	return order.total // null.attribute
}

func notFoundBad() int {
	order, ok := lookup(input)
	if !ok {
		return order.total // null.attribute
	}
	return 0
}

func foundOk() int {
	order, ok := lookup(input)
	if !ok {
		return 0
	}
	return order.total
}

func named(text string) (order *Order, err error) {
	if text == "" {
		err = errors.New("empty")
		return
	}
	order = &Order{}
	return
}

func namedBad() int {
	order, _ := named(input)
	return order.total // null.attribute
}

func namedOk() int {
	order, err := named(input)
	if err != nil {
		return 0
	}
	return order.total
}

func pair() (*Order, *Order) {
	return &Order{}, nil
}

func pairBad() int {
	_, second := pair()
	return second.total // null.attribute
}

func pairOk() int {
	first, _ := pair()
	return first.total
}

func add(first, second *Order) int {
	if second == nil {
		return first.total
	}
	return first.total + second.total
}

func spreadOk() int {
	return add(pair())
}

type Shop struct {
	last *Order
	err  error
}

func (s *Shop) parseOk() int {
	var err error
	if s.last == nil {
		s.last, err = parse(input)
		if err != nil {
			return 0
		}
	}
	return s.last.total
}

func (s *Shop) parseBad() int {
	s.last, s.err = parse(input)
	if s.err != nil {
		return s.last.total // null.attribute
	}
	return s.last.total
}

func retriedOk(times int) int {
	order, err := parse(input)
	for i := 0; i < times; i++ {
		if err == nil {
			break
		}
		order, err = parse("b")
	}
	if times > 9 {
		order, err = parse("c")
	}
	if err != nil {
		return 0
	}
	return order.total
}

func foundLaterOk(names []string) int {
	order, ok := lookup(input)
	if !ok {
		for _, name := range names {
			if name == "b" {
				order = &Order{}
				ok = true
				break
			}
		}
	}
	if !ok {
		return 0
	}
	return order.total
}

func foundLaterBad(names []string) int {
	order, ok := lookup(input)
	if !ok {
		for _, name := range names {
			if name == "b" {
				ok = true
				break
			}
		}
	}
	if !ok {
		return 0
	}
	return order.total // null.attribute
}
