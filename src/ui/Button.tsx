import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface ButtonProps extends ButtonLook, ComponentPropsWithRef<'button'> {
  icon?: IconName
  /** The act is under way: same word, same width, same focus; further presses do nothing. */
  busy?: boolean
}

export function Button({ variant, wide, big, joined, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  const look = buttonClass({ variant, wide, big, joined })
  // Unlike `disabled`, aria-disabled leaves the focus where it is; a press, or Enter in the form, must still do nothing.
  const still = busy || rest['aria-disabled'] === true
  const press = (event: MouseEvent<HTMLButtonElement>) => (still ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${look} ${className}` : look}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <BusySlot icon={icon} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Buttons that stand together, in as many rows as they need. */
export function Actions({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={className ? `flex flex-wrap gap-2 ${className}` : 'flex flex-wrap gap-2'}>{children}</div>
}

/** The spinner takes the icon's place, or the free space beside the word: a busy button keeps its width. */
export function BusySlot({ icon }: { icon?: IconName }) {
  return (
    <span className={icon ? 'relative flex-none' : 'relative -mr-2 w-0 flex-none'} data-busy>
      {icon && <Icon name={icon} className="invisible animate-[leave_400ms_step-end]" />}
      <Spinner className={icon ? 'inset-0 size-5' : 'top-[-0.4375rem] right-[2px] size-[0.875rem]'} />
    </span>
  )
}

/** Shows itself after 400 ms: a wait shorter than that needs no sign. Without motion it simply stands there. */
const Spinner = ({ className }: { className: string }) => (
  <svg
    className={`absolute flex-none animate-[spin_900ms_linear_infinite,late_400ms_step-end] fill-none stroke-current stroke-[1.75] ${className}`}
    viewBox="0 0 24 24"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    data-spinner
  >
    <path d="M12 3a9 9 0 1 1-8.5 6" />
  </svg>
)

type ButtonVariant = 'plain' | 'primary' | 'approve' | 'reject' | 'danger' | 'quiet' | 'text' | 'icon' | 'bare'

interface ButtonLook {
  /** `plain` is outlined, `bare` the same in colours of its own; `icon` is a square for an icon alone, which then needs an aria-label. */
  variant?: ButtonVariant
  wide?: boolean
  /** `tight` where two share a row. */
  big?: boolean | 'tight'
  /** Ends the box of a field. */
  joined?: boolean
}

const BIG = 'min-h-16 rounded-2 text-xl font-strong'

/** For links that look like buttons; Button uses it too. */
export function buttonClass({ variant = 'plain', wide, big, joined }: ButtonLook = {}): string {
  const look = variant !== 'plain' && variant !== 'bare' && variant
  return [
    'btn',
    look,
    wide && 'wide',
    big && BIG,
    big && (big === 'tight' ? 'px-4' : 'px-8 phone:px-4'),
    joined && 'rounded-l-none border-l-0',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Also for Tabs, which the login does without. */
export const TAB_BAR = 'flex border-b border-border print:hidden'

/** For the links of TabLinks. */
export const TAB =
  '-mb-[1px] flex min-h-[2.75rem] items-center gap-2 border-b-2 border-transparent font-label text-muted no-underline hover:border-border-strong hover:text-text aria-selected:border-current aria-selected:text-link aria-[current=page]:border-current aria-[current=page]:text-link pointer-coarse:min-w-[2.75rem] pointer-coarse:justify-center phone:min-w-[2.75rem] phone:justify-center'

/** Tabs that are pages of their own. */
export const TabLinks = ({ label, inCard, children }: { label: string; inCard?: boolean; children: ReactNode }) => (
  <nav className={`${TAB_BAR} ${inCard ? '' : 'mb-6 gap-6'}`} aria-label={label}>
    {children}
  </nav>
)
