//! Sends a batch and a dry run with the generated client, and prints the id and the code of each row.

use petstore::apis::{configuration::Configuration, inventory_api::batch_inventory};
use petstore::models::{BatchAdjustment, BatchChange, BatchQuantity, InventoryBatch, Reason};

const PET: i64 = 9007199254740993;
const UNKNOWN: i64 = 9007199254740995;

fn adjust(pet_id: i64) -> BatchChange {
    BatchChange::BatchAdjustment(Box::new(BatchAdjustment::new(pet_id, 1, Reason::Received)))
}

fn show(configuration: &Configuration, batch: InventoryBatch) {
    let result = batch_inventory(configuration, batch, None).expect("the batch succeeds");
    for row in result.rows {
        println!("{} {}", row.pet_id, row.code);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let mut configuration = Configuration::new();
    configuration.base_path = words[1].clone();
    configuration.bearer_access_token = Some(words[2].clone());
    let set = BatchChange::BatchQuantity(Box::new(BatchQuantity::new(PET, 41)));
    show(&configuration, InventoryBatch::new(vec![set, adjust(PET)]));
    let mut dry_run = InventoryBatch::new(vec![adjust(PET), adjust(UNKNOWN)]);
    dry_run.dry_run = Some(true);
    show(&configuration, dry_run);
}
