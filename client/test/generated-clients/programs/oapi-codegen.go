// Sends a batch and a dry run with the client of oapi-codegen, and prints the id and the code of each row.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	petstore "example.com/petstore/client"
)

const pet, unknown = int64(9007199254740993), int64(9007199254740995)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Args[2])
		return nil
	}
	client, err := petstore.NewClientWithResponses(os.Args[1], petstore.WithRequestEditorFn(authorize))
	check(err)
	var set petstore.BatchChange
	check(set.FromBatchQuantity(petstore.BatchQuantity{PetId: pet, Quantity: 41}))
	show(client, petstore.InventoryBatch{Changes: []petstore.BatchChange{set, adjust(pet)}})
	dryRun := true
	show(client, petstore.InventoryBatch{Changes: []petstore.BatchChange{adjust(pet), adjust(unknown)}, DryRun: &dryRun})
}

func adjust(petId int64) (change petstore.BatchChange) {
	check(change.FromBatchAdjustment(petstore.BatchAdjustment{PetId: petId, Delta: 1, Reason: petstore.ReasonReceived}))
	return
}

func show(client *petstore.ClientWithResponses, batch petstore.InventoryBatch) {
	response, err := client.BatchInventoryWithResponse(context.Background(), &petstore.BatchInventoryParams{}, batch)
	check(err)
	for _, row := range response.JSON200.Rows {
		fmt.Println(row.PetId, row.Code)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
