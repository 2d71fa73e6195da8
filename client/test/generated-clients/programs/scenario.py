"""Does what a shop does with the generated client, and prints each result."""

import sys

from petstore import AuthenticatedClient
from petstore.api.inventory import adjust_inventory, get_inventory_item, list_inventory, update_inventory
from petstore.api.limits import get_rate_limit
from petstore.api.orders import place_order
from petstore.models import InventoryAdjustment, InventoryUpdate, OrderPlacement, OrderPlacementLine, Reason

PET = 9007199254740993
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])

for item in list_inventory.sync(client=client):
    print("listed", item.pet_id, item.quantity)

tag = get_inventory_item.sync_detailed(PET, client=client).headers["ETag"]
count = InventoryUpdate(quantity=50)
stock = update_inventory.sync(PET, client=client, body=count, if_match=tag)
print("set", stock.pet_id, stock.quantity)
late = update_inventory.sync_detailed(PET, client=client, body=count, if_match=tag)
print("refused", int(late.status_code), late.parsed.code)

sale = InventoryAdjustment(delta=-3, reason=Reason.SOLD)
for _ in range(2):
    movement = adjust_inventory.sync(PET, client=client, body=sale, idempotency_key="sale-1")
    print("sold", movement.pet_id, movement.quantity_after)

lines = [OrderPlacementLine(pet_id=PET, quantity=2)]
order = place_order.sync(client=client, body=OrderPlacement(lines=lines), idempotency_key="cart-1")
print("ordered", order.lines[0].pet_id, order.lines[0].quantity, order.status)
print("available", get_inventory_item.sync(PET, client=client).available)

limits = get_rate_limit.sync(client=client)
print("limits", limits.plan, limits.minute.limit)
