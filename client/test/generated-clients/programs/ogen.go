// Sends a batch and a dry run with the client of ogen, and prints the id and the code of each row.
package main

import (
	"context"
	"fmt"
	"os"

	petstore "example.com/petstore/client"
)

const pet, unknown = int64(9007199254740993), int64(9007199254740995)

type credentials struct{ key string }

func (own credentials) ApiKey(context.Context, petstore.OperationName) (petstore.ApiKey, error) {
	return petstore.ApiKey{Token: own.key}, nil
}

func main() {
	client, err := petstore.NewClient(os.Args[1], credentials{os.Args[2]})
	if err != nil {
		panic(err)
	}
	set := petstore.NewBatchQuantityBatchChange(petstore.BatchQuantity{PetId: petstore.PetId(pet), Quantity: 41})
	show(client, petstore.InventoryBatch{Changes: []petstore.BatchChange{set, adjust(pet)}})
	changes := []petstore.BatchChange{adjust(pet), adjust(unknown)}
	show(client, petstore.InventoryBatch{Changes: changes, DryRun: petstore.NewOptBool(true)})
}

func adjust(petId int64) petstore.BatchChange {
	return petstore.NewBatchAdjustmentBatchChange(petstore.BatchAdjustment{
		PetId: petstore.PetId(petId), Delta: 1, Reason: petstore.ReasonReceived,
	})
}

func show(client *petstore.Client, batch petstore.InventoryBatch) {
	result, err := client.BatchInventory(context.Background(), &batch, petstore.BatchInventoryParams{})
	if err != nil {
		panic(err)
	}
	success, isSuccess := result.(*petstore.InventoryBatchResultHeaders)
	if !isSuccess {
		panic(fmt.Sprintf("%#v", result))
	}
	for _, row := range success.Response.Rows {
		fmt.Println(row.PetId, row.Code)
	}
}
