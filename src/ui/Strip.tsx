import type { ReactNode } from 'react'
import type { Elements } from './Elements.ts'
import { FIRST_ICONS, Icon, type Drawing } from './Icon.tsx'

interface StripProps {
  icon?: Drawing
  /** Makes the strip a landmark with this name. It then reaches from edge to edge of the screen. */
  label?: string
  /** At the right: a Button gets `ml-auto`. */
  action?: Elements
  children: ReactNode
}

/** On a phone the text takes the whole width, and the action is below it. */
const STRIP =
  'flex min-h-[2.75rem] items-center gap-3 border-b border-warn-border bg-warn-surface py-2 phone:flex-wrap phone:gap-y-1 phone:text-sm'

const EDGES =
  'pr-[max(var(--gutter,1rem),env(safe-area-inset-right))] pl-[max(var(--gutter,1rem),env(safe-area-inset-left))]'

/** A fact about everything below it, at the top of a table or panel. */
export function Strip({ icon = FIRST_ICONS.offline, label, action, children }: StripProps) {
  const inside = (
    <>
      <Icon drawing={icon} className="text-warn-text" />
      <span className="phone:flex-[1_1_calc(100%-3rem)]">{children}</span>
      {action}
    </>
  )
  if (label !== undefined) {
    return (
      <section className={`${STRIP} ${EDGES}`} aria-label={label}>
        {inside}
      </section>
    )
  }
  return (
    // The strip has the gutter of its container.
    <div className={`${STRIP} px-[var(--gutter,1rem)]`} role="status">
      {inside}
    </div>
  )
}
