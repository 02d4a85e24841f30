import type { Secrets } from '../secrets/secrets.ts'
import type { DecideDeps } from '../services/merchants/reviews.ts'

/** Everything that the provider's commands need. */
export interface Desk extends DecideDeps {
  /** The servers' secrets, which open data that only servers may read. Undefined on a desk without them. */
  secrets?: Pick<Secrets, 'sealingKey'> | undefined
  /** Prints one or more lines on stdout. */
  print(text: string): void
}

/** A command that cannot be carried out as given. The message is shown to the person at the desk. */
export class DeskError extends Error {
  override name = 'DeskError' as const
}
