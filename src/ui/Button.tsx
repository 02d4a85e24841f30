import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { Icon, type Drawing } from './Icon.tsx'

interface ButtonProps extends ButtonLook, ComponentPropsWithRef<'button'> {
  icon?: Drawing
  /** The action is running: label, width and focus stay, and further presses do nothing. */
  busy?: boolean
}

export function Button({
  variant,
  shape,
  wide,
  big,
  spread,
  icon,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const look = buttonClass({ variant, shape, wide, big, spread })
  // Unlike `disabled`, aria-disabled leaves the focus where it is; a press, or Enter in the form, must still do nothing.
  const isInactive = busy || rest['aria-disabled'] === true
  const press = (event: MouseEvent<HTMLButtonElement>) => (isInactive ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${look} ${className}` : look}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <BusySlot icon={icon} /> : icon && <Icon drawing={icon} />}
      <span className="contents">{children}</span>
    </button>
  )
}

/** A group of buttons, in as many rows as it needs. */
export function Actions({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={className ? `flex flex-wrap gap-2 ${className}` : 'flex flex-wrap gap-2'}>{children}</div>
}

/** The spinner takes the icon's place, or the free space beside the word: a busy button keeps its width. */
export function BusySlot({ icon }: { icon?: Drawing }) {
  return (
    <span className={icon ? 'relative flex-none' : 'relative -mr-2 w-0 flex-none'} data-busy>
      {icon && <Icon drawing={icon} className="invisible animate-[leave_400ms_step-end]" />}
      <Spinner className={icon ? 'inset-0 size-5' : 'top-[-0.4375rem] right-[2px] size-[0.875rem]'} />
    </span>
  )
}

/** Appears after 400 ms, because a shorter wait needs no sign. With reduced motion it does not turn. */
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

/** The style of a disabled button, also under the pointer. */
const OFF = 'off:cursor-not-allowed off:text-text-disabled'

const FILLED_OFF = `${OFF} off:border-transparent off:bg-surface-hover`

const CLEAR = `border-transparent hover:bg-surface-hover ${OFF} off:bg-transparent`

/** A view has one filled button. The others are outlined or quiet. */
const VARIANTS = {
  /** Outlined. */
  plain: `border-border-control bg-surface text-text hover:bg-surface-hover ${FILLED_OFF}`,
  primary: `border-transparent bg-fill text-on hover:bg-fill-hover active:bg-fill-active ${FILLED_OFF}`,
  approve: `border-transparent bg-approve text-on hover:bg-approve-hover ${FILLED_OFF}`,
  reject: `border-transparent bg-reject text-on hover:bg-reject-hover ${FILLED_OFF}`,
  danger: `border-border-control bg-surface text-danger-text hover:bg-surface-hover ${FILLED_OFF}`,
  quiet: `${CLEAR} text-link`,
  text: `${CLEAR} text-text`,
  /** A square for an icon alone, which then needs an aria-label. */
  icon: `${CLEAR} w-control text-muted hover:text-text`,
  /** The caller's class sets the colours. */
  bare: 'off:cursor-not-allowed',
} as const

const SHAPES = {
  box: 'rounded-1 border',
  /** At the right end of a field's box. */
  joined: 'rounded-r-1 border-y border-r',
  big: 'rounded-2 border',
} as const

interface ButtonLook {
  variant?: keyof typeof VARIANTS
  shape?: keyof Omit<typeof SHAPES, 'big'>
  wide?: boolean
  /** `tight`: two buttons share a row. */
  big?: boolean | 'tight'
  /** Puts the word at the left and the icon at the right. */
  spread?: boolean
}

const SIZES = {
  plain: 'min-h-control px-4 font-label',
  narrow: 'min-h-control px-2 font-label',
  square: 'min-h-control font-label',
  big: 'min-h-16 px-8 text-xl font-strong phone:px-4',
  tight: 'min-h-16 px-4 text-xl font-strong',
} as const

function chooseSize(variant: keyof typeof VARIANTS, big: ButtonLook['big']): keyof typeof SIZES {
  if (big) return big === 'tight' ? 'tight' : 'big'
  if (variant === 'icon') return 'square'
  return variant === 'quiet' || variant === 'text' ? 'narrow' : 'plain'
}

/** For links that look like buttons; Button uses it too. */
export function buttonClass({ variant = 'plain', shape = 'box', wide, big, spread }: ButtonLook = {}): string {
  return [
    'inline-flex items-center gap-2 whitespace-nowrap no-underline print:hidden [transition:background-color_var(--motion-fast)_var(--ease)] aria-busy:cursor-progress',
    spread ? 'justify-between' : 'justify-center',
    SHAPES[big ? 'big' : shape],
    SIZES[chooseSize(variant, big)],
    VARIANTS[variant],
    wide && 'w-full',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Tabs uses it too. It is here because the login does not load Tabs. */
export const TAB_BAR = 'flex border-b border-border print:hidden'

/** For the links of TabLinks. */
export const TAB =
  '-mb-[1px] flex min-h-[2.75rem] items-center gap-2 border-b-2 border-transparent font-label text-muted no-underline hover:border-border-strong hover:text-text aria-selected:border-current aria-selected:text-link aria-[current=page]:border-current aria-[current=page]:text-link pointer-coarse:min-w-[2.75rem] pointer-coarse:justify-center phone:min-w-[2.75rem] phone:justify-center'

/** Tabs that lead to separate pages. */
export const TabLinks = ({ label, inCard, children }: { label: string; inCard?: boolean; children: ReactNode }) => (
  <nav className={`${TAB_BAR} ${inCard ? '' : 'mb-6 gap-6'}`} aria-label={label}>
    {children}
  </nav>
)
