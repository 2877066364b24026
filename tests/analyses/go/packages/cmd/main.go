package main

import (
	"fmt"
	"log"

	renamed "example.com/shop/store"
	"example.com/shop/wire"
)

func main() {
	fmt.Println(methodBad(renamed.New()), importedOk(), importedBad(), methodOk(renamed.New()))
}

func importedBad() string {
	return renamed.Find(nil, "tea").Name // null.attribute
}

func importedOk() string {
	item := renamed.Find(nil, "tea")
	if item == nil {
		return ""
	}
	return item.Name
}

func methodBad(s *renamed.Store) string {
	item, _ := s.Get("tea")
	return item.Name // null.attribute
}

func methodOk(s *renamed.Store) string {
	item, err := s.Get("tea")
	if err != nil {
		log.Fatal(err)
	}
	return item.Name
}

func interfaceBad(source wire.Source) string {
	return source.Next().Text // null.attribute
}

func interfaceOk(source wire.Source) string {
	if message := source.Next(); message != nil {
		return message.Text
	}
	return ""
}

func feed() string {
	return interfaceBad(&wire.Queue{}) + interfaceOk(&wire.Queue{})
}
