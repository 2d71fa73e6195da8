// Does what a shop does with the generated client, and prints each result.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	petstore "github.com/example/petstore"
)

const pet = int64(9007199254740993)

func main() {
	config := petstore.NewConfiguration()
	config.Servers = petstore.ServerConfigurations{{URL: os.Args[1]}}
	ctx := context.WithValue(context.Background(), petstore.ContextAccessToken, os.Args[2])
	client := petstore.NewAPIClient(config)
	api := client.InventoryAPI

	items, _, err := api.ListInventory(ctx).Execute()
	check(err)
	for _, item := range items {
		fmt.Println("listed", item.PetId, item.Quantity)
	}

	_, seen, err := api.GetInventoryItem(ctx, pet).Execute()
	check(err)
	set := func() (*petstore.InventoryItem, *http.Response, error) {
		count := *petstore.NewInventoryUpdate(50)
		return api.UpdateInventory(ctx, pet).InventoryUpdate(count).IfMatch(seen.Header.Get("ETag")).Execute()
	}
	stock, _, err := set()
	check(err)
	fmt.Println("set", stock.PetId, stock.Quantity)
	_, late, err := set()
	var refusal *petstore.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		panic(err)
	}
	fmt.Println("refused", late.StatusCode, refusal.Model().(petstore.Error).Code)

	for range 2 {
		sale := *petstore.NewInventoryAdjustment(-3, petstore.REASON_SOLD)
		movement, _, err := api.AdjustInventory(ctx, pet).InventoryAdjustment(sale).IdempotencyKey("sale-1").Execute()
		check(err)
		fmt.Println("sold", movement.PetId, movement.QuantityAfter)
	}

	lines := []petstore.OrderPlacementLine{*petstore.NewOrderPlacementLine(pet, 2)}
	placement := *petstore.NewOrderPlacement(lines)
	order, _, err := client.OrdersAPI.PlaceOrder(ctx).OrderPlacement(placement).IdempotencyKey("cart-1").Execute()
	check(err)
	fmt.Println("ordered", order.Lines[0].PetId, order.Lines[0].Quantity, order.Status)
	detail, _, err := api.GetInventoryItem(ctx, pet).Execute()
	check(err)
	fmt.Println("available", detail.Available)

	limits, _, err := client.LimitsAPI.GetRateLimit(ctx).Execute()
	check(err)
	fmt.Println("limits", limits.Plan, limits.Minute.Limit)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
