"""Sends a batch and a dry run with the generated client, and prints the id and the code of each row."""

import sys

from petstore import AuthenticatedClient
from petstore.api.inventory import batch_inventory
from petstore.models import BatchAdjustment, BatchQuantity, InventoryBatch, Reason

PET, UNKNOWN = 9007199254740993, 9007199254740995
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])


def adjust(pet_id):
    return BatchAdjustment(pet_id=pet_id, delta=1, reason=Reason.RECEIVED)


def show(batch):
    for row in batch_inventory.sync(client=client, body=batch).rows:
        print(row.pet_id, str(row.code))


show(InventoryBatch(changes=[BatchQuantity(pet_id=PET, quantity=41), adjust(PET)]))
show(InventoryBatch(changes=[adjust(PET), adjust(UNKNOWN)], dry_run=True))
