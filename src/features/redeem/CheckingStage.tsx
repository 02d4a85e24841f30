import { useSecondsSince } from '../redemptions/useCounter.ts'
import { VerdictStage } from '../redemptions/verdict/VerdictStage.tsx'

/** A quick answer passes through here unseen; the word and its stub come only when the answer is late. */
export function LateVerifyStage({ serial, since }: { serial: string; since: number }) {
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
          worth: 'Not checked',
          serial,
          stub: ['Asking', `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`],
        },
        happened: 'The answer is late. The till asks what became of this voucher.',
        tell: '“One moment, please.”',
        todo: 'Wait for a word. After 20 seconds this screen says what to do.',
      }}
    />
  )
}
