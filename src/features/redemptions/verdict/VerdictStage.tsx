import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { CounterBar } from '../CounterHeader.tsx'
import { useEscape } from '../useEscape.ts'
import { NextButton } from './NextButton.tsx'
import { playVerdict } from './playVerdict.ts'
import { useSay } from './SaidRegion.tsx'
import { Fine, Serial, Ticket, type TicketGround } from './Ticket.tsx'
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

/** Its field. "Checking…" is no verdict and therefore has no colour: it stays on the canvas. */
const TONES: Record<Verdict['tone'], string> = {
  accepted: 'text-verdict-text [--v:var(--verdict-accepted)]',
  held: 'text-verdict-text [--v:var(--verdict-held)]',
  risk: 'text-verdict-ink [--checking-ink:var(--verdict-ink)] [--v:var(--verdict-risk)]',
  refused: 'text-verdict-text [--v:var(--verdict-refused)]',
  unknown: 'text-verdict-text [--v:var(--verdict-unknown)]',
  checking: 'border-b border-border text-text [--checking-ink:var(--text)] [--v:var(--canvas)]',
}

/** On a light field the disc is dark, and so is what is drawn on it. */
const DISCS: Partial<Record<Verdict['tone'], string>> = { checking: 'bg-text', risk: 'bg-verdict-ink' }

const SAY = 'mt-3 text-2xl small:col-span-full small:mt-0 small:text-lg/[1.5rem] tall:text-xl'

const AMOUNT = 'text-4xl tracking-[-0.02em] phone:text-3xl small:text-2xl'

/** Colour field with disc, word and ticket; below it the advice: what happened, what to say, what to do. */
export function VerdictStage({ verdict, onNext, onAgain, actions }: Props) {
  const { tone, icon, word, spoken = word, say, ticket } = verdict
  const [turned, setTurned] = useState(false)
  // The word is drawn before the sound is tried. A receipt that follows its upload does not sound a second time.
  const sound = tone === 'held' ? 'accepted' : tone
  useEffect(() => playVerdict(sound), [sound])
  useSay(`${spoken}${spoken.endsWith('…') ? '' : '.'} ${say}`)
  const all = [
    ...(actions ?? []),
    ...(onNext ? [{ label: 'Show customer', run: () => setTurned(true) }] : []),
    ...(onAgain ? [{ label: 'Try again', run: onAgain }] : []),
  ]
  return (
    <>
      <main
        className="grid flex-1 grid-rows-[minmax(min-content,1fr)_auto] bg-surface"
        id="main"
        tabIndex={-1}
        data-verdict={tone}
      >
        <div
          className={`grid grid-cols-[minmax(0,1fr)_28rem] items-center gap-12 bg-(--v) px-(--gutter) py-10 [--ground:var(--v)] max-wide:grid-cols-[minmax(0,1fr)_23rem] max-wide:gap-8 narrow:grid-cols-1 narrow:content-center small:gap-3 small:p-4 forced-colors:border-2 ${TONES[tone]}`}
        >
          {/* On a phone the advice stays in view, so the sign stands beside its word. */}
          <div className="small:grid small:grid-cols-[auto_minmax(0,1fr)] small:items-center small:gap-x-3 small:gap-y-1">
            <span
              className={`grid size-[5rem] place-items-center rounded-pill text-(--v) *:size-[65%] *:stroke-[2.5] small:size-[2.75rem] forced-colors:border-2 ${DISCS[tone] ?? 'bg-verdict-text'}`}
            >
              <Icon drawing={icon} />
            </span>
            <h1 className="mt-4 text-5xl tracking-[-0.025em] max-wide:text-[3rem]/[3.25rem] narrow:text-5xl small:mt-0 small:text-3xl tall:text-4xl">
              {word}
            </h1>
            <p className={SAY}>
              <ExactSentence text={say} />
            </p>
          </div>
          <VerdictTicket ticket={ticket} ground={DISCS[tone] ? 'canvas' : 'verdict'} />
        </div>
        <div className="grid grid-cols-3 gap-8 px-(--gutter) py-6 phone:grid-cols-1 small:gap-2 small:px-4 small:py-3">
          <Told title="What happened" text={verdict.happened} />
          <Told title="Tell the customer" text={verdict.tell} />
          <Told title="What to do" text={verdict.todo} />
        </div>
      </main>
      <CounterBar label="What next" next={<NextButton word={word} onNext={onNext} />}>
        <VerdictActions actions={all} />
      </CounterBar>
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
    <Actions className="phone:flex-nowrap">
      {actions.map(({ label, busy = false, run }) => (
        <Button key={label} busy={busy} onClick={run}>
          {label}
        </Button>
      ))}
    </Actions>
  )
}

function Told({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h2 className="mb-1 text-sm font-label text-muted small:mb-0">{title}</h2>
      <p className="text-[1.125rem]/[1.625rem] small:text-base/[1.375rem]">
        <ExactSentence text={text} />
      </p>
    </div>
  )
}

function VerdictTicket({ ticket, ground }: { ticket: Verdict['ticket']; ground: TicketGround }) {
  const [label, fact, time] = ticket.stub
  const isAmount = ticket.worth.startsWith('$')
  return (
    <Ticket
      state={ticket.state}
      ground={ground}
      body={
        <>
          <span className="text-muted small:hidden">Voucher</span>
          <b
            className={`font-strong ${isAmount ? AMOUNT : 'text-2xl tracking-[-0.01em]'}`}
            translate={isAmount ? 'no' : undefined}
          >
            {ticket.worth}
          </b>
          <Serial serial={ticket.serial} />
          {ticket.note && <Fine>{ticket.note}</Fine>}
        </>
      }
      stub={
        time === undefined ? (
          <>
            <b className="font-strong">{label}</b>
            <span>{fact}</span>
          </>
        ) : (
          <>
            <span className="text-muted">{label}</span>
            <b className="font-strong">{fact}</b>
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
    <div
      className={`fixed inset-0 z-20 grid grid-cols-1 grid-rows-[minmax(0,1fr)_auto] items-center gap-4 bg-(--v) p-8 [--ground:var(--v)] forced-colors:border-2 ${TONES[verdict.tone]}`}
      role="dialog"
      aria-modal="true"
      aria-label="For the customer"
    >
      {/* The customer reads from the other side. */}
      <div className="grid rotate-180 content-center justify-items-center text-center">
        <p className="text-[clamp(2.75rem,9vw,7rem)]/[1.1] font-strong">{verdict.word}</p>
        <p className={`max-w-[30ch] ${SAY}`}>
          <ExactSentence text={verdict.tell.replaceAll(/[“”]/g, '')} />
        </p>
      </div>
      <Button
        big
        className="justify-self-center focus-visible:outline-verdict-text"
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

/** Whether the window is as `query` says, followed. For what CSS cannot say: another control, not another look. */
function useMediaQuery(query: string): boolean {
  const follow = useCallback(
    (changed: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(follow, () => matchMedia(query).matches)
}
