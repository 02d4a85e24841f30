import { useEffect, useRef } from 'react'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import { formatCents } from '../../../domain/money.ts'
import { formatDay } from '../../../domain/singaporeTime.ts'
import type { TakenOff } from '../../../domain/vouchers.ts'
import type { Offer } from '../../../offline/redemptions/Acceptance.ts'
import { Button } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CounterQuestion, QuestionTitle } from '../CounterHeader.tsx'
import { useEscape } from '../useEscape.ts'
import { meterText } from '../verdict/atRiskVerdicts.ts'
import { lostText } from '../verdict/redemptionVerdict.ts'
import { SAID, useSay } from '../verdict/SaidRegion.tsx'
import { Fine, Serial, Ticket } from '../verdict/Ticket.tsx'

interface Props {
  offer: Offer
  /** What it takes off the bill. */
  taken: TakenOff
  /** This device could not store it, so nothing was accepted. */
  unstored: boolean
  onAccept: () => void
  onCancel: () => void
}

const TITLE = 'Accept at your shop’s risk?'

/** The server cannot be asked, and the voucher has proved itself: the cashier decides for the shop. */
export function OfferStage({ offer, taken, unstored, onAccept, onCancel }: Props) {
  const heading = useRef<HTMLDivElement>(null)
  // Not on the button: an Enter too many of a scanner would accept.
  useEffect(() => heading.current?.focus(), [])
  useEscape(onCancel)
  const { denomination_cents, serial, expires_on, meter } = offer
  const say = `The server cannot check it now. If it was used elsewhere, your shop is not paid.${
    taken.lost > 0 ? ` ${lostText(taken.lost)}` : ''
  }`
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
