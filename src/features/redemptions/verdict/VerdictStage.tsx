import { useEffect, useRef, useState, type ReactNode } from 'react'
import { formatSerial } from '../../../domain/vouchers.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { useEscape } from '../useEscape.ts'
import { playVerdict } from './playVerdict.ts'
import { Ticket } from './Ticket.tsx'
import type { Verdict } from './Verdict.ts'

interface Props {
  verdict: Verdict
  /** Absent until there is a verdict: the next voucher has to wait for it. */
  onNext?: () => void
  onAgain?: (() => void) | undefined
  /** What else can be done with this voucher, at the left of the bar: void, receipt. */
  acts?: ReactNode
}

export function VerdictStage({ verdict, onNext, onAgain, acts }: Props) {
  const { tone, icon, word, say, ticket } = verdict
  const next = useRef<HTMLButtonElement>(null)
  // The word is drawn before the sound is tried. A receipt that follows its upload does not sound a second time.
  const sound = tone === 'held' ? 'accepted' : tone
  useEffect(() => playVerdict(sound), [sound])
  useEffect(() => next.current?.focus(), [word])
  return (
    <>
      <main className="stage" id="main" tabIndex={-1}>
        <div className={`verdict ${tone}`} role={CALM.has(tone) ? 'status' : 'alert'}>
          <div>
            <span className="disc">
              <Icon name={icon} />
            </span>
            <h1>{word}</h1>
            <p className="say">{say}</p>
          </div>
          <VerdictTicket ticket={ticket} />
        </div>
        <div className="advice">
          <Told title="What happened" text={verdict.happened} />
          <Told title="Tell the customer" text={verdict.tell} />
          <Told title="What to do" text={verdict.todo} />
        </div>
      </main>
      <div className="bar">
        <div className="actions">
          {acts}
          {onNext && <CustomerView verdict={verdict} />}
        </div>
        {onAgain && <Button onClick={onAgain}>Try again</Button>}
        <Button ref={next} big variant="primary" onClick={onNext} disabled={!onNext}>
          Next voucher
        </Button>
      </div>
    </>
  )
}

/** A screen reader says these when it is free; a refusal interrupts it. */
const CALM = new Set<Verdict['tone']>(['accepted', 'held', 'checking'])

function Told({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  )
}

function VerdictTicket({ ticket }: { ticket: Verdict['ticket'] }) {
  const [label, fact, time] = ticket.stub
  const isAmount = ticket.worth.startsWith('$')
  return (
    <Ticket
      state={ticket.state}
      body={
        <>
          <span className="muted">Voucher</span>
          <b className={isAmount ? 'worth' : 'worth words'}>{ticket.worth}</b>
          <span className="serial">{formatSerial(ticket.serial)}</span>
          {ticket.note && <span className="muted fine">{ticket.note}</span>}
        </>
      }
      stub={
        time === undefined ? (
          <>
            <b className="strong">{label}</b>
            <span>{fact}</span>
          </>
        ) : (
          <>
            <span className="muted">{label}</span>
            <b className="strong">{fact}</b>
            <span>{time}</span>
          </>
        )
      }
    />
  )
}

/** The same word turned round, for the customer on the other side of a tablet that lies flat. */
function CustomerView({ verdict }: { verdict: Verdict }) {
  const [turned, setTurned] = useState(false)
  return (
    <>
      <Button onClick={() => setTurned(true)}>Show customer</Button>
      {turned && <Turned verdict={verdict} onBack={() => setTurned(false)} />}
    </>
  )
}

function Turned({ verdict, onBack }: { verdict: Verdict; onBack: () => void }) {
  useEscape(onBack)
  useRootClass('has-dialog')
  return (
    <div className={`turned verdict ${verdict.tone}`} role="dialog" aria-modal="true" aria-label="For the customer">
      <div className="round">
        <p className="big-word">{verdict.word}</p>
        <p className="say">{verdict.tell.replaceAll(/[“”]/g, '')}</p>
      </div>
      <Button
        big
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it covers everything else, and Enter must lead back
        autoFocus
        onClick={onBack}
      >
        Back to the till
      </Button>
    </div>
  )
}
