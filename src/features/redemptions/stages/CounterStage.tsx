import { useState, type ReactNode } from 'react'
import { VerifyStage } from '../../redeem/CheckStage.tsx'
import { ConfirmStage } from './ConfirmStage.tsx'
import { fullVerdict } from '../../redeem/fullVerdict.ts'
import { alreadyRedeemedVerdict, notCheckedVerdict } from '../verdict/deviceVerdicts.ts'
import { PinStage } from './PinStage.tsx'
import { refusedVerdict } from '../verdict/refusedVerdict.ts'
import { RedeemedStage } from './RedeemedStage.tsx'
import type { useCounter } from '../useCounter.ts'
import { VerdictStage } from '../verdict/VerdictStage.tsx'

interface Props {
  counter: ReturnType<typeof useCounter>
  /** What stands at the foot while the cashier is free to look at it. */
  foot: ReactNode
  branch: string
}

export function CounterStage({ counter, foot, branch }: Props) {
  const { state, check, redeem, cancel, next } = counter
  const [now] = useState(() => new Date())
  switch (state.at) {
    case 'ready':
    case 'verifying':
      return (
        <>
          <VerifyStage state={state} onSerial={(serial) => void check(serial)} />
          {foot}
        </>
      )
    case 'pin':
      return <PinStage {...state} onPin={(pin) => void check(state.serial, pin)} onCancel={next} />
    case 'confirm':
      return (
        <>
          <ConfirmStage
            row={state.row}
            unstored={state.problem === 'unstored'}
            onRedeem={() => void redeem(state.row)}
            onCancel={() => void cancel(state.row)}
          />
          {foot}
        </>
      )
    case 'taken':
      return <RedeemedStage key={state.id} {...state} {...{ branch }} onNext={next} />
    case 'known':
      return <VerdictStage verdict={alreadyRedeemedVerdict(state.row, now)} onNext={next} />
    case 'refused':
      return <VerdictStage verdict={refusedVerdict(state.refused, state.serial)} onNext={next} />
    case 'full':
      return <VerdictStage verdict={fullVerdict(state)} onNext={next} onAgain={() => void check(state.serial)} />
    case 'not-checked':
      return <VerdictStage verdict={notCheckedVerdict(state)} onNext={next} onAgain={() => void check(state.serial)} />
  }
}
