import { formatCents } from '../../domain/money.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'
import { useSecondsSince } from './useCounter.ts'
import { VerdictStage } from './VerdictStage.tsx'

/** A quick answer passes through here unseen; the word and its stub come only when the answer is late. */
export function CheckingStage({ row, since }: { row: TillRow; since: number }) {
  const seconds = useSecondsSince(since)
  return (
    <VerdictStage
      verdict={{
        tone: 'checking',
        icon: 'wait',
        word: 'Checking…',
        say: 'Please wait. Do not hand anything over yet.',
        ticket: {
          state: 'hollow',
          worth: formatCents(row.denomination_cents),
          serial: row.serial,
          stub: ['Asking', `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`],
        },
        happened: 'The till asks the server to take this voucher.',
        tell: '“One moment, please.”',
        todo: 'Wait for a word. After 20 seconds this screen says what to do.',
      }}
    />
  )
}
