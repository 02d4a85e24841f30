/** A form somebody has not finished. Never a password. */
export interface DraftRow {
  /** Which form, and of which record: `onboarding`, `branch:<guid>`. */
  key: string
  /** As typed, not as parsed: what is wrong with it is kept as well. */
  values: unknown
  /** Milliseconds of this device's clock. */
  savedAt: number
}
