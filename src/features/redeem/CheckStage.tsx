import { LateVerifyStage } from './CheckingStage.tsx'
import type { CounterState } from '../redemptions/counterState.ts'
import { ReadyStage } from '../redemptions/stages/ReadyStage.tsx'
import { useSecondsSince } from '../redemptions/useCounter.ts'

interface VerifyStageProps {
  state: Extract<CounterState, { at: 'ready' | 'verifying' }>
  onSerial: (serial: string) => void
}

/** So long an answer is nothing to remark on. */
const LATE_SECONDS = 2

/** Ready and waiting are one screen, so that the camera stays open between them; only a late answer gets a word of its own. */
export function VerifyStage({ state, onSerial }: VerifyStageProps) {
  const waiting = state.at === 'verifying' ? state : undefined
  const seconds = useSecondsSince(waiting?.since)
  if (waiting && seconds >= LATE_SECONDS) return <LateVerifyStage {...waiting} />
  return <ReadyStage busy={waiting !== undefined} initial={waiting?.serial ?? ''} onSerial={onSerial} />
}
