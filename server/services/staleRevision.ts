import { Refusal } from './Refusal.ts'

/** The refusal of an edit that began from another state than `current`, the record as it is now: both can be shown. */
export const staleRevision = (current: object): Refusal => new Refusal('STALE_REVISION', { data: { current } })
