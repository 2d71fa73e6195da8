import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Does what a shop does with the generated client, and prints each result. */
public class Scenario {
  private static final long PET = 9007199254740993L;

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    InventoryApi api = new InventoryApi(client);

    var items = api.listInventory(null, null, null, null, null, null, null, null, null, null, null, null, null);
    for (InventoryItem item : items) print("listed", item.getPetId(), item.getQuantity());

    var headers = api.getInventoryItemWithHttpInfo(PET, null, null).getHeaders();
    String tag = headers.get("etag").get(0);
    InventoryUpdate count = new InventoryUpdate().quantity(50L);
    InventoryItem stock = api.updateInventory(PET, count, tag, null, null);
    print("set", stock.getPetId(), stock.getQuantity());
    try {
      api.updateInventory(PET, count, tag, null, null);
    } catch (ApiException refusal) {
      var error = ApiClient.createDefaultObjectMapper().readValue(refusal.getResponseBody(), org.openapitools.client.model.Error.class);
      print("refused", refusal.getCode(), error.getCode());
    }

    InventoryAdjustment sale = new InventoryAdjustment().delta(-3L).reason(Reason.SOLD);
    for (int time = 0; time < 2; time += 1) {
      Movement movement = api.adjustInventory(PET, sale, null, null, "sale-1");
      print("sold", movement.getPetId(), movement.getQuantityAfter());
    }

    var line = new OrderPlacementLine().petId(PET).quantity(2L);
    Order order = new OrdersApi(client).placeOrder(new OrderPlacement().lines(List.of(line)), "cart-1");
    OrderLine ordered = order.getLines().get(0);
    print("ordered", ordered.getPetId(), ordered.getQuantity(), order.getStatus());
    print("available", api.getInventoryItem(PET, null, null).getAvailable());

    RateLimit limits = new LimitsApi(client).getRateLimit();
    print("limits", limits.getPlan(), limits.getMinute().getLimit());
  }

  private static void print(Object... words) {
    System.out.println(String.join(" ", List.of(words).stream().map(String::valueOf).toList()));
  }
}
