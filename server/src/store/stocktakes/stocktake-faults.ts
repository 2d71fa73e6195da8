/** Counts that no movement of a stock-take explains, as sentences. */
export const STOCKTAKE_FAULTS = `SELECT 'Movement ' || stocktake_counts.sequence || ' has a count of no stock-take.' AS fault
FROM stocktake_counts LEFT JOIN movements ON movements.sequence = stocktake_counts.sequence
LEFT JOIN stocktakes ON stocktakes.id = reference_id AND stocktakes.started_sequence < movements.sequence
WHERE stocktakes.id IS NULL OR kind <> 'set' OR quantity_before <> quantity_after ORDER BY stocktake_counts.sequence`;
