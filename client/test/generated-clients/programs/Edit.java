import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PetsApi;
import org.openapitools.client.model.*;

/** Renames a pet that has a barcode and plans an order, and prints each result. */
public class Edit {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    PetsApi api = new PetsApi(client);
    api.createPet(new NewPet().petId(12L));
    api.updatePet(12L, new PetChanges().barcodes(List.of("4006381333931")), null, null);
    ManagedPet pet = api.updatePet(12L, new PetChanges().name("Rex"), null, null);
    System.out.println(pet.getName() + " " + pet.getBarcodes());

    BulkValues order = new BulkValues().ordered(new BulkValuesOrdered(3_000_000_001L));
    BulkChange change = api.createBulkChange(new BulkChangeRequest().petIds(List.of(12L)).set(order));
    System.out.println("ordered " + change.getSet().getOrdered().getActualInstance());
  }
}
