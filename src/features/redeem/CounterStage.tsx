import type { Receipt } from '../../contract/voucher.ts'
import { CheckingStage } from './CheckingStage.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'
import { DayBar } from './DayBar.tsx'
import { ReadyStage } from './ReadyStage.tsx'
import type { useCounter } from './useCounter.ts'
import { VerdictStage } from './VerdictStage.tsx'
import { verdictOf } from './verdictOf.ts'

interface Props {
  counter: ReturnType<typeof useCounter>
  today: Receipt[]
}

export function CounterStage({ counter, today }: Props) {
  const { state, verify, redeem, next } = counter
  switch (state.at) {
    case 'ready':
    case 'verifying':
      return (
        <>
          <ReadyStage
            busy={state.at === 'verifying'}
            initial={state.at === 'verifying' ? state.serial : ''}
            onSerial={(serial) => void verify(serial)}
          />
          <DayBar today={today} />
        </>
      )
    case 'confirm':
      return (
        <>
          <ConfirmStage
            voucher={state.voucher}
            unstored={state.problem === 'unstored'}
            onRedeem={() => void redeem(state.voucher)}
            onCancel={next}
          />
          <DayBar today={today} />
        </>
      )
    case 'checking':
      return <CheckingStage row={state.row} since={state.since} />
    case 'redeemed':
    case 'refused':
    case 'not-known': {
      const again =
        state.at === 'refused' && state.refusal === 'unavailable' ? () => void verify(state.serial) : undefined
      return <VerdictStage verdict={verdictOf(state)} onNext={next} onAgain={again} />
    }
  }
}
