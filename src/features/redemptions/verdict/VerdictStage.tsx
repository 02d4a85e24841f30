import { useEffect, useState } from 'react'
import { formatSerial } from '../../../domain/vouchers.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { useEscape } from '../useEscape.ts'
import { NextButton } from './NextButton.tsx'
import { playVerdict } from './playVerdict.ts'
import { useSay } from './SaidRegion.tsx'
import { Ticket } from './Ticket.tsx'
import type { Verdict } from './Verdict.ts'

/** What else can be done with this voucher. */
interface VerdictAction {
  label: string
  busy?: boolean
  run: () => void
}

interface Props {
  verdict: Verdict
  /** Absent until there is a verdict: the next voucher has to wait for it. */
  onNext?: () => void
  onAgain?: (() => void) | undefined
  actions?: readonly VerdictAction[]
}

export function VerdictStage({ verdict, onNext, onAgain, actions }: Props) {
  const { tone, icon, word, say, ticket } = verdict
  const [turned, setTurned] = useState(false)
  // The word is drawn before the sound is tried. A receipt that follows its upload does not sound a second time.
  const sound = tone === 'held' ? 'accepted' : tone
  useEffect(() => playVerdict(sound), [sound])
  useSay(`${word}${word.endsWith('…') ? '' : '.'} ${say}`)
  const all = [
    ...(actions ?? []),
    ...(onNext ? [{ label: 'Show customer', run: () => setTurned(true) }] : []),
    ...(onAgain ? [{ label: 'Try again', run: onAgain }] : []),
  ]
  return (
    <>
      <main className="stage" id="main" tabIndex={-1}>
        <div className={`verdict ${tone}`}>
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
      <section className="bar" aria-label="What next">
        <VerdictActions actions={all} />
        <NextButton word={word} onNext={onNext} />
      </section>
      {turned && <Turned verdict={verdict} onBack={() => setTurned(false)} />}
    </>
  )
}

/** A phone has room for one beside "Next voucher", if the advice is to stay in view. */
function VerdictActions({ actions }: { actions: readonly VerdictAction[] }) {
  const isSmall = useMediaQuery('(max-width: 640px), (max-height: 480px)')
  const [only] = actions
  if (!only) return null
  if (isSmall && actions.length > 1) {
    const items = actions.map(({ label, busy = false, run }) => ({ label, disabled: busy, onSelect: run }))
    return <Menu label="More" trigger="More" triggerClass={buttonClass()} items={items} />
  }
  return (
    <div className="actions">
      {actions.map(({ label, busy = false, run }) => (
        <Button key={label} busy={busy} onClick={run}>
          {label}
        </Button>
      ))}
    </div>
  )
}

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
function Turned({ verdict, onBack }: { verdict: Verdict; onBack: () => void }) {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [opener])
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
        // It is the only control, and what lies below is out of reach.
        onKeyDown={(event) => event.key === 'Tab' && event.preventDefault()}
        onClick={onBack}
      >
        Back to the till
      </Button>
    </div>
  )
}
