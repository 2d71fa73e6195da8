import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.InventoryApi;
import org.openapitools.client.model.*;

/** Sends a batch and a dry run with the generated client, and prints the id and the code of each row. */
public class Main {
  private static final long PET = 9007199254740993L;
  private static final long UNKNOWN = 9007199254740995L;

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    InventoryApi api = new InventoryApi(client);
    BatchChange set = new BatchChange(new BatchQuantity().petId(PET).quantity(41L));
    show(api.batchInventory(new InventoryBatch().changes(List.of(set, adjust(PET))), null));
    InventoryBatch dryRun = new InventoryBatch().changes(List.of(adjust(PET), adjust(UNKNOWN))).dryRun(true);
    show(api.batchInventory(dryRun, null));
  }

  private static BatchChange adjust(long petId) {
    return new BatchChange(new BatchAdjustment().petId(petId).delta(1L).reason(Reason.RECEIVED));
  }

  private static void show(InventoryBatchResult result) {
    for (BatchRow row : result.getRows()) {
      System.out.println(row.getPetId() + " " + row.getCode());
    }
  }
}
