package store_test

import (
	"testing"

	"example.com/shop/store"
)

func TestGetOk(t *testing.T) {
	s := store.New()
	item, err := s.Get("tea")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(item.Name)
	t.Run("again", func(t *testing.T) {
		item, err := s.Get("tea")
		if err != nil {
			t.Fatalf("no item: %v", err)
		}
		t.Log(item.Name)
	})
	t.Run("outer", func(inner *testing.T) {
		item, err := s.Get("tea")
		if err != nil {
			t.Fatalf("no item: %v", err)
		}
		t.Log(item.Name)
	})
}
