import { CheckingStage } from './CheckingStage.tsx'
import { ReadyStage } from './ReadyStage.tsx'
import { useSecondsSince } from './useCounter.ts'

/** So long an answer is nothing to remark on. */
const LATE_SECONDS = 2

export function VerifyingStage({ serial, since }: { serial: string; since: number }) {
  const isLate = useSecondsSince(since) >= LATE_SECONDS
  return isLate ? (
    <CheckingStage {...{ serial, since }} />
  ) : (
    <ReadyStage busy initial={serial} onSerial={() => undefined} />
  )
}
