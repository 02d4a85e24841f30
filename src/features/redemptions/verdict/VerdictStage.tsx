import { useCallback, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { playSound } from '../../../blocks/vouchers/playSound.ts'
import { formatCents } from '../../../domain/money.ts'
import { Actions, Button, buttonClass } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Menu } from '../../../ui/overlay/Menu.tsx'
import { CounterBar } from '../CounterHeader.tsx'
import { useAnnouncement } from './AnnouncementRegion.tsx'
import { CustomerView } from './CustomerView.tsx'
import { NextButton } from './NextButton.tsx'
import { FinePrint, Serial, Ticket, type TicketGround } from './Ticket.tsx'
import { ToneDisc, hasLightField, SOUNDS, toneClass } from './tones.tsx'
import type { Verdict } from './verdicts.ts'

/** Another action that is possible with this voucher. */
interface VerdictAction {
  label: string
  busy?: boolean
  /** Hidden once the verdict was shown to a customer, who may hold the device (rule 9.13). */
  cashierOnly?: boolean
  run: () => void
}

interface Props {
  verdict: Verdict
  /** The serial on the ticket, if there is only one voucher. */
  serial: string
  onNext: () => void
  actions: readonly VerdictAction[]
  /** Replaces the ticket by one line for each of several vouchers. `isCashier`: the verdict was not shown to a customer. */
  lines?: (isCashier: boolean) => Elements
}

const SAY = 'mt-3 text-2xl small:col-span-full small:mt-0 small:text-lg/[1.5rem] tall:text-xl'

const AMOUNT = 'text-4xl tracking-[-0.02em] phone:text-3xl small:text-2xl'

/** Shows a verdict: a coloured field with disc, word and ticket, and the advice below. */
export function VerdictStage({ verdict, serial, onNext, actions, lines }: Props) {
  const { tone, word, spoken = word, isUnderWay = false, say } = verdict
  const [customer, setCustomer] = useState<'not shown' | 'shown' | 'was shown'>('not shown')
  // In an effect, so that the word is on the screen before the sound.
  const sound = SOUNDS[tone]
  useEffect(() => (sound ? playSound(sound) : undefined), [sound])
  useAnnouncement(`${spoken}${isUnderWay ? '' : '.'} ${say}`)
  const shownActions = [
    ...actions.filter(({ cashierOnly }) => !cashierOnly || customer === 'not shown'),
    { label: 'Show customer', run: () => setCustomer('shown') },
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
          className={`grid grid-cols-[minmax(0,1fr)_28rem] items-center gap-12 bg-(--v) px-(--gutter) py-10 [--ground:var(--v)] max-wide:grid-cols-[minmax(0,1fr)_23rem] max-wide:gap-8 narrow:grid-cols-1 narrow:content-center small:gap-3 small:p-4 forced-colors:border-2 ${toneClass(tone)}`}
        >
          {/* On a phone the disc is beside the word, so that the advice stays in view. */}
          <div className="small:grid small:grid-cols-[auto_minmax(0,1fr)] small:items-center small:gap-x-3 small:gap-y-1">
            <ToneDisc tone={tone} className="size-[5rem] small:size-[2.75rem]" />
            <h1 className="mt-4 text-5xl tracking-[-0.025em] max-wide:text-[3rem]/[3.25rem] narrow:text-5xl small:mt-0 small:text-3xl tall:text-4xl">
              {word}
            </h1>
            <p className={SAY}>
              <ExactSentence text={say} />
            </p>
          </div>
          {lines?.(customer === 'not shown') ?? (
            <VerdictTicket verdict={verdict} serial={serial} ground={hasLightField(tone) ? 'canvas' : 'verdict'} />
          )}
        </div>
        <div className="px-(--gutter) py-6 small:px-4 small:py-3">
          {tone === 'redeemed' ? <ShortAdvice verdict={verdict} /> : <Advice verdict={verdict} />}
        </div>
      </main>
      <CounterBar label="What next" next={<NextButton word={word} onNext={onNext} />}>
        <VerdictActions actions={shownActions} />
      </CounterBar>
      {customer === 'shown' && (
        <CustomerView tone={tone} tell={verdict.tell} cents={verdict.cents} onBack={() => setCustomer('was shown')} />
      )}
    </>
  )
}

const COLUMNS = 'grid grid-cols-3 gap-8 phone:grid-cols-1 small:gap-2'

/** The advice when something is wrong. Nothing is hidden. */
const Advice = ({ verdict: { happened, tell, todo } }: { verdict: Verdict }) => (
  <div className={COLUMNS}>
    <AdviceText title="What happened" text={happened} />
    <AdviceText title="Tell the customer" text={tell} />
    <AdviceText title="What to do" text={todo} />
  </div>
)

/** The advice when all is well. Only what to tell the customer is open at once. */
function ShortAdvice({ verdict: { happened, tell, todo, paper } }: { verdict: Verdict }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div className={COLUMNS}>
      <AdviceText title="Tell the customer" text={tell} />
      {paper && <AdviceText title="Paper voucher" text={paper} />}
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
        <AdviceText title="What happened" text={happened} />
        <AdviceText title="What to do" text={todo} />
      </div>
    </div>
  )
}

/** Shows the actions as buttons. On a phone several actions become a menu, because only one button fits beside "Next customer". */
function VerdictActions({ actions }: { actions: readonly VerdictAction[] }) {
  const isSmall = useMediaQuery('(max-width: 40em), (max-height: 30em)')
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

function AdviceText({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <h2 className="mb-1 text-sm font-label text-muted small:mb-0">{title}</h2>
      <p className="text-[1.125rem]/[1.625rem] small:text-base/[1.375rem]">
        <ExactSentence text={text} />
      </p>
    </div>
  )
}

interface TicketProps extends Pick<Props, 'verdict' | 'serial'> {
  ground: TicketGround
}

function VerdictTicket({ verdict: { ticket, cents }, serial, ground }: TicketProps) {
  const [label, fact, time] = ticket.stub
  return (
    <Ticket
      state={ticket.state}
      ground={ground}
      body={
        <>
          <span className="text-muted small:hidden">Voucher</span>
          <b className={`font-strong ${AMOUNT}`} translate="no">
            {formatCents(cents)}
          </b>
          <Serial serial={serial} />
          {ticket.note && <FinePrint>{ticket.note}</FinePrint>}
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

/** True while the window matches `query`. Only for changes that CSS cannot make, such as another control. */
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
