import { useState, type ReactNode } from 'react'
import { ICONS } from '../../../ui/icons.tsx'
import { BillStage } from '../bill/BillStage.tsx'
import { takenOffBill, type Bills } from '../bill/useBills.ts'
import type { CounterState } from '../counterState.ts'
import { useSecondsSince, type useCounter } from '../useCounter.ts'
import { alreadyRedeemedVerdict, fullVerdict, notCheckedVerdict, unreadVerdict } from '../verdict/deviceVerdicts.ts'
import { refusedVerdict } from '../verdict/refusedVerdict.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'
import { PinStage } from './PinStage.tsx'
import { ReadyStage } from './ReadyStage.tsx'
import { RedeemedStage } from './RedeemedStage.tsx'

interface Props {
  counter: ReturnType<typeof useCounter>
  /** What stands at the foot while the cashier is free to look at it. */
  foot: ReactNode
  till: string
  branch: string
  bills: Bills
}

export function CounterStage({ counter, foot, till, branch, bills }: Props) {
  const { state, verify, redeem, cancel, next } = counter
  const [now] = useState(() => new Date())
  switch (state.at) {
    case 'ready':
    case 'verifying':
      return (
        <>
          <VerifyStage state={state} onSerial={(serial) => void verify(serial)} />
          {foot}
        </>
      )
    case 'pin':
      return <PinStage {...state} onPin={(pin) => void verify(state.serial, pin)} onCancel={next} />
    case 'confirm':
      return (
        <>
          <ConfirmStage
            row={state.row}
            taken={takenOffBill(bills.open, state.row)}
            unstored={state.problem === 'unstored'}
            onRedeem={() => void redeem(state.row)}
            onCancel={() => void cancel(state.row)}
          />
          {foot}
        </>
      )
    case 'redeemed':
      return <RedeemedStage key={state.id} {...state} bill={bills.open} {...{ branch }} onNext={next} />
    case 'known':
      return <VerdictStage verdict={alreadyRedeemedVerdict(state.row, now)} onNext={next} />
    case 'refused':
      return <VerdictStage verdict={refusedVerdict(state.refused, state.serial)} onNext={next} />
    case 'full':
      return (
        <VerdictStage
          key={state.since}
          verdict={fullVerdict(state)}
          onNext={next}
          onAgain={() => void verify(state.serial)}
        />
      )
    case 'not-checked':
      return <VerdictStage verdict={notCheckedVerdict(state)} onNext={next} onAgain={() => void verify(state.serial)} />
    case 'unread':
      return <VerdictStage key={state.since} verdict={unreadVerdict(state)} onNext={next} />
    case 'bill':
      return (
        bills.finished && <BillStage bill={bills.finished} since={state.since} {...{ till, branch }} onNext={next} />
      )
  }
}

interface VerifyStageProps {
  state: Extract<CounterState, { at: 'ready' | 'verifying' }>
  onSerial: (serial: string) => void
}

/** An answer within this time needs no screen of its own. */
const LATE_SECONDS = 2

/** Ready and waiting are one screen, so that the camera stays open between them. Only a late answer gets a screen of its own. */
function VerifyStage({ state, onSerial }: VerifyStageProps) {
  const waiting = state.at === 'verifying' ? state : undefined
  const seconds = useSecondsSince(waiting?.since)
  if (waiting && seconds >= LATE_SECONDS) return <LateVerifyStage {...waiting} />
  return <ReadyStage busy={waiting !== undefined} initial={waiting?.serial ?? ''} onSerial={onSerial} />
}

function LateVerifyStage({ serial, since }: { serial: string; since: number }) {
  const seconds = useSecondsSince(since)
  return (
    <VerdictStage
      verdict={{
        tone: 'checking',
        icon: ICONS.wait,
        word: 'Checking…',
        say: 'Please wait. Do not hand anything over yet.',
        ticket: {
          state: 'hollow',
          worth: 'Not checked',
          serial,
          stub: ['Asking', `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`],
        },
        happened: 'The server is slow. Checking what happened to this voucher.',
        tell: '“One moment, please.”',
        todo: 'Please wait. If there is no answer within 20 seconds, this screen says what to do.',
      }}
    />
  )
}
