import { useCallback, useEffect, useId, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import * as v from 'valibot'
import { playSound, type Sound } from '../../../blocks/vouchers/playSound.ts'
import { readStored, writeStored } from '../../../state/persisted.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { CounterBar } from '../CounterHeader.tsx'
import { useEscape } from '../useEscape.ts'
import { NextButton } from './NextButton.tsx'
import { useSay } from './SaidRegion.tsx'
import { Fine, Serial, Ticket, type TicketGround } from './Ticket.tsx'
import type { Verdict } from './Verdict.ts'

/** What else can be done with this voucher. */
interface VerdictAction {
  label: string
  busy?: boolean
  /** Not for the hands of a customer: it is gone once the verdict was shown to one (rule 9.13). */
  cashierOnly?: boolean
  run: () => void
}

interface Props {
  verdict: Verdict
  /** Absent until there is a verdict: the next voucher has to wait for it. */
  onNext?: () => void
  onAgain?: (() => void) | undefined
  actions?: readonly VerdictAction[]
}

/** A receipt that follows its upload does not sound a second time. */
const SOUNDS: Record<Verdict['tone'], Sound | undefined> = {
  accepted: 'redeemed',
  held: 'redeemed',
  risk: 'risk',
  refused: 'refused',
  'on hold': 'on hold',
  unknown: 'unchecked',
  checking: undefined,
}

const AMBER = 'text-verdict-ink [--checking-ink:var(--verdict-ink)] [--v:var(--verdict-risk)]'

/** Its field. "Checking…" is no verdict and therefore has no colour: it stays on the canvas. */
const TONES: Record<Verdict['tone'], string> = {
  accepted: 'text-verdict-text [--v:var(--verdict-accepted)]',
  held: 'text-verdict-text [--v:var(--verdict-held)]',
  risk: AMBER,
  refused: 'text-verdict-text [--v:var(--verdict-refused)]',
  'on hold': AMBER,
  unknown: 'text-verdict-text [--v:var(--verdict-unknown)]',
  checking: 'border-b border-border text-text [--checking-ink:var(--text)] [--v:var(--canvas)]',
}

/** On a light field the disc is dark, and so is what is drawn on it. */
const DISCS: Partial<Record<Verdict['tone'], string>> = {
  checking: 'bg-text',
  risk: 'bg-verdict-ink',
  'on hold': 'bg-verdict-ink',
}

const SAY = 'mt-3 text-2xl small:col-span-full small:mt-0 small:text-lg/[1.5rem] tall:text-xl'

const AMOUNT = 'text-4xl tracking-[-0.02em] phone:text-3xl small:text-2xl'

/** Colour field with disc, word and ticket; below it the advice. */
export function VerdictStage({ verdict, onNext, onAgain, actions }: Props) {
  const { tone, icon, word, spoken = word, say, ticket } = verdict
  const [customer, setCustomer] = useState<'not shown' | 'shown' | 'was shown'>('not shown')
  // The word is drawn before the sound is tried.
  const sound = SOUNDS[tone]
  useEffect(() => (sound ? playSound(sound) : undefined), [sound])
  useSay(`${spoken}${spoken.endsWith('…') ? '' : '.'} ${say}`, sound && (verdict.aloud ?? spoken))
  const all = [
    ...(actions ?? []).filter(({ cashierOnly }) => !cashierOnly || customer === 'not shown'),
    ...(onNext ? [{ label: 'Show customer', run: () => setCustomer('shown') }] : []),
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
            <Disc {...{ tone, icon }} className="size-[5rem] small:size-[2.75rem]" />
            <h1 className="mt-4 text-5xl tracking-[-0.025em] max-wide:text-[3rem]/[3.25rem] narrow:text-5xl small:mt-0 small:text-3xl tall:text-4xl">
              {word}
            </h1>
            <p className={SAY}>
              <ExactSentence text={say} />
            </p>
          </div>
          <VerdictTicket ticket={ticket} ground={DISCS[tone] ? 'canvas' : 'verdict'} />
        </div>
        <div className="px-(--gutter) py-6 small:px-4 small:py-3">
          {tone === 'accepted' ? <ShortAdvice verdict={verdict} /> : <Advice verdict={verdict} />}
        </div>
      </main>
      <CounterBar label="What next" next={<NextButton word={word} onNext={onNext} />}>
        <VerdictActions actions={all} />
      </CounterBar>
      {customer === 'shown' && <ForCustomer verdict={verdict} onBack={() => setCustomer('was shown')} />}
    </>
  )
}

const Disc = ({ tone, icon, className }: Pick<Verdict, 'tone' | 'icon'> & { className: string }) => (
  <span
    className={`grid place-items-center rounded-pill text-(--v) *:size-[65%] *:stroke-[2.5] forced-colors:border-2 ${DISCS[tone] ?? 'bg-verdict-text'} ${className}`}
  >
    <Icon drawing={icon} />
  </span>
)

const COLUMNS = 'grid grid-cols-3 gap-8 phone:grid-cols-1 small:gap-2'

/** Something is not well: all of it stays open. */
const Advice = ({ verdict: { happened, tell, todo } }: { verdict: Verdict }) => (
  <div className={COLUMNS}>
    <Told title="What happened" text={happened} />
    <Told title="Tell the customer" text={tell} />
    <Told title="What to do" text={todo} />
  </div>
)

/** All is well: a cashier reads what comes off the bill and what to tell the customer, and goes on. */
function ShortAdvice({ verdict: { happened, tell, todo, paper } }: { verdict: Verdict }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className={COLUMNS}>
      <Told title="Tell the customer" text={tell} />
      {paper && <Told title="Paper voucher" text={paper} />}
      <div className="flex items-center justify-end phone:-my-2 phone:justify-start">
        <Button
          variant="quiet"
          className="-mr-2 phone:-ml-2"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span>More</span>
          <Icon drawing={ICONS.down} className={isOpen ? 'rotate-180' : ''} />
        </Button>
      </div>
      <div id={id} className={`col-span-full ${COLUMNS}`} hidden={!isOpen}>
        <Told title="What happened" text={happened} />
        <Told title="What to do" text={todo} />
      </div>
    </div>
  )
}

/** A phone has room for one beside "Next voucher", if the advice is to stay in view. */
function VerdictActions({ actions }: { actions: readonly VerdictAction[] }) {
  const isSmall = useMediaQuery('(max-width: 640px), (max-height: 480px)')
  const [only] = actions
  if (!only) return null
  if (isSmall && actions.length > 1) {
    const items = actions.map(({ label, busy = false, run }) => ({ label, disabled: busy, onSelect: run }))
    return <Menu label="Other actions" trigger="Actions" triggerClass={buttonClass()} items={items} />
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

const hasAmount = ({ worth }: Verdict['ticket']) => worth.startsWith('$')

function VerdictTicket({ ticket, ground }: { ticket: Verdict['ticket']; ground: TicketGround }) {
  const [label, fact, time] = ticket.stub
  const isAmount = hasAmount(ticket)
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

const TURNED = 'customer-view-turned'

/**
 * Sign, amount and sentence for the customer, on a tablet that lies flat between the two, or is handed over: the device remembers which. It
 * may be in the hands of the customer, so there is nothing to press but the way it is turned and the way back.
 */
function ForCustomer({ verdict, onBack }: { verdict: Verdict; onBack: () => void }) {
  const { tone, icon, ticket, tell } = verdict
  const [opener] = useState(() => document.activeElement)
  const [isTurned, setIsTurned] = useState(() => readStored(TURNED, v.boolean()) ?? true)
  const turnButton = useRef<HTMLButtonElement>(null)
  const backButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [opener])
  useEscape(onBack)
  useRootClass('has-dialog')
  const turn = () => {
    setIsTurned(!isTurned)
    writeStored(TURNED, !isTurned)
  }
  // The focus stays here: a customer must reach nothing of the counter below.
  const swapFocus = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return
    event.preventDefault()
    const other = document.activeElement === backButton.current ? turnButton : backButton
    other.current?.focus()
  }
  const outline = DISCS[tone] ? 'focus-visible:outline-verdict-ink' : 'focus-visible:outline-verdict-text'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it keeps the focus between its buttons
    <div
      className={`fixed inset-0 z-20 grid grid-cols-1 grid-rows-[minmax(0,1fr)_auto] items-center gap-4 bg-(--v) p-8 [--ground:var(--v)] phone:p-4 forced-colors:border-2 ${TONES[tone]}`}
      role="dialog"
      aria-modal="true"
      aria-label="For the customer"
      onKeyDown={swapFocus}
    >
      <div
        className={`grid max-h-full content-center justify-items-center gap-4 text-center small:gap-2 ${isTurned ? 'rotate-180' : ''}`}
      >
        <Disc {...{ tone, icon }} className="size-[clamp(3rem,18vmin,9rem)]" />
        {hasAmount(ticket) && (
          <p className="text-[clamp(3rem,16vmin,9rem)]/[1.1] font-strong tracking-[-0.02em]" translate="no">
            {ticket.worth}
          </p>
        )}
        <p className="max-w-[30ch] text-[clamp(1.5rem,5vmin,2.5rem)]/[1.3]">
          <ExactSentence text={tell.replaceAll(/[“”]/g, '')} />
        </p>
      </div>
      <Actions className="justify-center">
        <Button ref={turnButton} big className={outline} icon={ICONS.refresh} onClick={turn}>
          Turn
        </Button>
        <Button
          ref={backButton}
          big
          className={outline}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it covers everything else, and Enter must lead back
          autoFocus
          onClick={onBack}
        >
          Back to the till
        </Button>
      </Actions>
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
