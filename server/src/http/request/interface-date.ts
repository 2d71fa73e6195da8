/** The date of the newest entry of `docs/interface-changes.md`, in each response. */
export const INTERFACE_DATE = '2026-11-30';
