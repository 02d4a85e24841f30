import type { Secrets } from '../secrets/secrets.ts'
import type { DecideDeps } from '../services/merchants/reviews.ts'

/** What the provider's commands work with. */
export interface Desk extends DecideDeps {
  /** Those of the servers, for what only they may open; undefined where the desk does not have them. */
  secrets?: Pick<Secrets, 'sealingKey'> | undefined
  /** One line, or several, on stdout. */
  print(text: string): void
}

/** A command that cannot be done as it was given. The message is what the person reads. */
export class DeskError extends Error {
  override name = 'DeskError' as const
}

/** A stranger's words for a terminal: no control character of theirs may move its cursor or colour its screen. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
