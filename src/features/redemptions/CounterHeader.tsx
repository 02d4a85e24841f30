import type { ReactNode } from 'react'
import { logOut } from '../../blocks/accounts/logOut.ts'
import { ConnectivityState } from '../../blocks/connectivity/ConnectivityState.tsx'
import { WifiLoginStrip } from '../../blocks/connectivity/WifiLogin.tsx'
import { ReadinessPill } from '../../blocks/devices/Readiness.tsx'
import type { User } from '../../contract/accounts/user.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { useFootLayer, useRootClass } from '../../ui/useRootClass.ts'

interface Props {
  user: User
  /** The name of this device, if it has one. */
  till?: string | undefined
  /** A link back to the counter, on My day. */
  back?: Elements
}

/** Prints on the 80 mm paper of a receipt printer, without the colours of the screen. */
const PAPER = 'print:block print:min-h-0 print:max-w-[72mm] print:overflow-visible print:bg-transparent print:p-0'

interface FrameProps {
  paper?: boolean
  practice?: true
  children: ReactNode
}

/**
 * The frame of the counter: header, stage and bar, without a sidebar. Controls are at least 48 pixels high, and text has a
 * contrast of at least 7:1. `paper`: the screen can be printed like a receipt. `practice`: nothing is redeemed.
 */
export function CounterFrame({ paper = false, practice, children }: FrameProps) {
  useRootClass('is-counter')
  return (
    <div
      className={`group/counter flex min-h-[calc(100dvh-var(--keyboard,0px))] flex-col bg-canvas text-base [--control:3rem] [--fill:var(--fill-counter)] [--ground:var(--canvas)] [--gutter:max(2rem,env(safe-area-inset-left),env(safe-area-inset-right))] [--text-muted:var(--text-muted-counter)] pb-(--overlaid) in-[.has-banner]:min-h-0 in-[.has-foot-bar]:pb-0 phone:[--gutter:max(1rem,env(safe-area-inset-left),env(safe-area-inset-right))] ${paper ? PAPER : ''} ${practice ? '[--canvas:var(--stub-surface)]' : ''}`}
      data-practice={practice}
    >
      {children}
    </div>
  )
}

const HEADER =
  'flex min-h-16 flex-none items-center gap-4 border-b border-border bg-surface pr-[calc(var(--gutter)-0.5rem)] pl-(--gutter) *:shrink-0 phone:min-h-[3.5rem] phone:gap-1 phone:py-1 phone:pr-[max(0.5rem,env(safe-area-inset-right))] high:sticky high:top-0 high:z-4'

/** In a narrow window a header with a link back has two rows: the branch, then the rest. */
const WITH_BACK = 'max-[48em]:flex-wrap max-[48em]:pt-2 max-[48em]:pb-1 print:hidden'

/** Shows branch, till, cashier, readiness and connection, and the logout. */
export function CounterHeader({ user, till, back }: Props) {
  return (
    <>
      <header className={back ? `${HEADER} ${WITH_BACK}` : HEADER}>
        {back}
        {/* Only the name of the branch may be shortened, never the words of a control. */}
        <div
          className={`mr-auto grid min-w-0 shrink! leading-[1.25] ${back ? 'max-[48em]:-order-1 max-[48em]:grow max-[48em]:basis-full' : ''}`}
        >
          {/* On a phone a long name takes two or three lines. */}
          <b
            className="truncate font-strong phone:line-clamp-2 phone:text-sm/[1.2858] phone:wrap-anywhere phone:whitespace-normal tiny:line-clamp-3"
            translate="no"
          >
            {user.branch_name}
          </b>
          <small className="truncate text-sm text-muted" translate="no">
            {till ? `${till} · ${user.login_name}` : user.login_name}
          </small>
        </div>
        <ReadinessPill user={user} />
        <ConnectivityState wordOnPhone={!back} className="px-2 phone:px-1" />
        <Button
          variant="text"
          className={back ? 'min-w-12 phone:px-1 max-[48em]:ml-auto' : 'min-w-12 phone:px-1'}
          onClick={() => void logOut()}
        >
          <Icon drawing={ICONS.out} />
          Logout
        </Button>
      </header>
      <WifiLoginStrip />
    </>
  )
}

interface CounterBarProps {
  label?: string
  labelledBy?: string
  /** The big button at the right. */
  next?: Elements
  className?: string
  children: Elements
}

/** The bar at the foot of the counter, above the on-screen keyboard. In a very low window it scrolls with the page. */
export function CounterBar({ label, labelledBy, next, className = '', children }: CounterBarProps) {
  return (
    <section
      ref={useFootLayer('bar')}
      className={`sticky bottom-[var(--keyboard,0px)] z-2 in-[.has-foot-bar]:mt-(--overlaid) flex min-h-[4.5rem] items-center gap-4 border-t border-border bg-surface px-(--gutter) pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] [@media(max-height:20em)]:static ${next ? 'phone:gap-2' : ''} ${className}`}
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {children}
      {next}
    </section>
  )
}

/** The main part of a screen that asks the cashier something. */
export function CounterQuestion({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <main className={`grid flex-1 grid-cols-1 place-items-center p-6 phone:p-4 ${className}`} id="main" tabIndex={-1}>
      {children}
    </main>
  )
}

/** A question and its explanation. */
export const QuestionTitle = ({ title, say }: { title: ReactNode; say: ReactNode }) => (
  <>
    <h1 className="text-3xl wrap-anywhere small:text-2xl">{title}</h1>
    <p className="mt-1 text-[1.125rem]/[1.75rem] text-muted print:hidden">{say}</p>
  </>
)
