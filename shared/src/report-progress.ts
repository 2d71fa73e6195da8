/**
 * Called while long work continues, often enough for a person who watches.
 * @param step What is done, as a phrase such as `Verifying movements`.
 * @param done Out of `total`, both in the unit of the step.
 */
export type ReportProgress = (step: string, done: number, total: number) => void;
