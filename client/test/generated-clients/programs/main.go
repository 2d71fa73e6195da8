// Sends a batch and a dry run with the generated client, and prints the id and the code of each row.
package main

import (
	"context"
	"fmt"
	"os"

	petstore "github.com/example/petstore"
)

const pet, unknown = int64(9007199254740993), int64(9007199254740995)

func main() {
	config := petstore.NewConfiguration()
	config.Servers = petstore.ServerConfigurations{{URL: os.Args[1]}}
	ctx := context.WithValue(context.Background(), petstore.ContextAccessToken, os.Args[2])
	api := petstore.NewAPIClient(config).InventoryAPI

	set := petstore.BatchQuantityAsBatchChange(petstore.NewBatchQuantity(pet, 41))
	show(api.BatchInventory(ctx).InventoryBatch(*petstore.NewInventoryBatch([]petstore.BatchChange{set, adjust(pet)})).Execute())

	dryRun := petstore.NewInventoryBatch([]petstore.BatchChange{adjust(pet), adjust(unknown)})
	dryRun.SetDryRun(true)
	show(api.BatchInventory(ctx).InventoryBatch(*dryRun).Execute())
}

func adjust(petId int64) petstore.BatchChange {
	return petstore.BatchAdjustmentAsBatchChange(petstore.NewBatchAdjustment(petId, 1, petstore.REASON_RECEIVED))
}

func show(result *petstore.InventoryBatchResult, _ any, err error) {
	if err != nil {
		panic(err)
	}
	for _, row := range result.Rows {
		fmt.Println(row.PetId, row.Code)
	}
}
