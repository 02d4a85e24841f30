import * as v from 'valibot'
import { recipient, RECIPIENTS_MOST, RECIPIENTS_RULE, recipients as recipientLine } from '../../contract/profile.ts'

interface Recipients {
  /** Those that were taken, as the line the server gets. */
  recipients: string
  /** What stands in the field. */
  typed_recipients: string
}

/** As a list, each once. */
export const addressesIn = (line: string): string[] => [
  ...new Set(
    line
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter(Boolean),
  ),
]

export const asLine = (addresses: readonly string[]): string => addresses.join(', ')

/** Takes what is typed well; what is not stays in the field, to be put right. With anything but commas between, all of it. */
export function takeRecipients({ recipients, typed_recipients: typed }: Recipients): Recipients {
  const untouched = { recipients, typed_recipients: typed }
  const { issues = [] } = v.safeParse(recipientLine, typed)
  if (issues.some(({ message }) => message === RECIPIENTS_RULE)) return untouched
  const found = addressesIn(typed)
  const all = addressesIn(asLine([recipients, ...found.filter((one) => v.is(recipient, one))]))
  if (all.length > RECIPIENTS_MOST) return untouched
  return { recipients: asLine(all), typed_recipients: asLine(found.filter((one) => !v.is(recipient, one))) }
}
