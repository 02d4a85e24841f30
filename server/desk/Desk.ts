import type { DecideDeps } from '../services/merchants/reviews.ts'

/** What the provider's commands work with. */
export interface Desk extends DecideDeps {
  /** One line, or several, on stdout. */
  print(text: string): void
}

/** A command that cannot be done as it was given. The message is what the person reads. */
export class DeskError extends Error {
  override name = 'DeskError' as const
}
