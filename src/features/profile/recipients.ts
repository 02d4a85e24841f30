import * as v from 'valibot'
import { email } from '../../contract/fieldSchemas.ts'
import { recipients as recipientLine, RECIPIENTS_MOST, RECIPIENTS_RULE } from '../../contract/profile.ts'

interface Recipients {
  /** The accepted ones, as the text that the server gets. */
  recipients: string
  /** What is in the field. */
  typed_recipients: string
}

/** Each address once. */
export const splitAddresses = (line: string): string[] => [
  ...new Set(
    line
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean),
  ),
]

export const joinAddresses = (addresses: readonly string[]): string => addresses.join(', ')

/** Accepts valid addresses and leaves the others in the field. With anything but commas between them, all stay there. */
export function acceptTypedRecipients({ recipients, typed_recipients: typed }: Recipients): Recipients {
  const untouched = { recipients, typed_recipients: typed }
  const { issues = [] } = v.safeParse(recipientLine, typed)
  if (issues.some(({ message }) => message === RECIPIENTS_RULE)) return untouched
  const found = splitAddresses(typed)
  const all = splitAddresses(joinAddresses([recipients, ...found.filter((one) => v.is(email, one))]))
  if (all.length > RECIPIENTS_MOST) return untouched
  return {
    recipients: joinAddresses(all),
    typed_recipients: joinAddresses(found.filter((one) => !v.is(email, one))),
  }
}
