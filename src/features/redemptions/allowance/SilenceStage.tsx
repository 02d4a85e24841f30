import { useEffect, useRef } from 'react'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import { playSound } from '../../../blocks/vouchers/playSound.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/singaporeTime.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { takenOffBill, type BillNow } from '../bill/useBills.ts'
import { CounterQuestion, QuestionTitle } from '../CounterHeader.tsx'
import type { CounterState } from '../counterState.ts'
import { useEscape } from '../useEscape.ts'
import { lostText } from '../verdict/redemptionVerdict.ts'
import { SAID, useSay } from '../verdict/SaidRegion.tsx'
import { Fine, Serial, Ticket } from '../verdict/Ticket.tsx'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { meterText } from './meterText.ts'
import { notAcceptedVerdict } from './notAcceptedVerdict.ts'

type Silent = Extract<CounterState, { at: 'silence' }>
type Offered = Extract<Silent['silence'], { is: 'offer' }>

interface Props {
  state: Silent
  bill: BillNow | undefined
  foot: Elements
  onAccept: (offered: Offered) => void
  onNext: () => void
  onAgain: () => void
}

/** The server cannot be asked: the cashier decides for the shop, or reads why nothing is accepted. */
export function SilenceStage({ state: { serial, silence }, bill, foot, onAccept, onNext, onAgain }: Props) {
  if (silence.is === 'not')
    return <VerdictStage verdict={notAcceptedVerdict({ serial, ...silence })} {...{ onNext, onAgain }} />
  return (
    <>
      <OfferStage offered={silence} {...{ bill }} onAccept={() => onAccept(silence)} onCancel={onNext} />
      {foot}
    </>
  )
}

interface OfferProps {
  offered: Offered
  bill: BillNow | undefined
  onAccept: () => void
  onCancel: () => void
}

const TITLE = 'Accept at your shop’s risk?'

function OfferStage({ offered: { offer, unstored }, bill, onAccept, onCancel }: OfferProps) {
  const heading = useRef<HTMLDivElement>(null)
  // Not on the button: an Enter too many of a scanner would accept.
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => playSound('unchecked'), [])
  useEscape(onCancel)
  const { denomination_cents, serial, expires_on, meter } = offer
  const { lost } = takenOffBill(bill, offer)
  const risk = 'The server cannot check it now. If it was used elsewhere, your shop is not paid.'
  const say = lost > 0 ? `${risk} ${lostText(lost)}` : risk
  useSay(`${TITLE} ${formatCents(denomination_cents)}. ${say}`)
  return (
    <CounterQuestion>
      <div className="grid w-[min(36rem,100%)] gap-6">
        <div
          ref={heading}
          tabIndex={-1}
          className="rounded-2 bg-verdict-risk p-4 text-verdict-ink outline-none [--text-muted:var(--verdict-ink)] forced-colors:border-2"
        >
          <QuestionTitle title={TITLE} say={<ExactSentence text={say} />} />
        </div>
        {unstored && (
          <Notice tone="danger" role="alert" title="Nothing was accepted">
            <p>This device cannot store it. Free some space or leave the private window, then try again.</p>
          </Notice>
        )}
        <Ticket
          state="hollow"
          body={
            <>
              <span className="text-muted">Voucher</span>
              <b className="text-4xl font-strong tracking-[-0.02em] phone:text-3xl">
                <Money cents={denomination_cents} />
              </b>
              <Serial serial={serial} />
              <Fine>{`Valid until ${formatDay(expires_on)}`}</Fine>
            </>
          }
          stub={
            <>
              <b className="font-strong">Not checked</b>
              <span className="text-muted">Signature is good</span>
            </>
          }
        />
        <p className="text-muted">
          <ExactSentence text={`At the shop’s risk: ${meterText(meter)}.`} />
        </p>
        <div className="grid grid-cols-[1fr_2fr] gap-3 phone:flex phone:flex-col-reverse">
          <Button big="tight" onClick={onCancel}>
            Do not accept
          </Button>
          <Button
            big="tight"
            variant="bare"
            className="border-transparent bg-verdict-risk text-verdict-ink hover:bg-verdict-risk-hover"
            aria-describedby={SAID}
            onClick={onAccept}
          >
            Accept at the shop’s risk
          </Button>
        </div>
      </div>
    </CounterQuestion>
  )
}
