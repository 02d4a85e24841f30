import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../Button.tsx'
import type { Elements } from '../Elements.ts'
import { useFootLayer } from '../useRootClass.ts'

interface FormSectionProps {
  id: string
  /** The number of a step, if the sections are steps. */
  number?: number
  title: string
  note?: ReactNode
  children: Elements
}

/** A part of a long form. Its heading gets the focus when the rail leads to it. */
export function FormSection({ id, number, title, note, children }: FormSectionProps) {
  return (
    <section
      className="grid scroll-mt-4 gap-5 border-t border-border pt-6 pb-8 first-of-type:border-t-0 first-of-type:pt-0"
      id={id}
      aria-labelledby={`${id}-title`}
    >
      <header>
        <h2 className="text-xl tracking-[-0.01em]" id={`${id}-title`} tabIndex={-1}>
          {number === undefined ? title : `${number}. ${title}`}
        </h2>
        {note && <p className="mt-0.5 text-muted">{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** Fields that belong together, within a section. */
export function FieldGroup({ legend, legendHidden, children }: FieldGroupProps) {
  return (
    <fieldset className="grid gap-4" data-group>
      <legend className={legendHidden ? 'sr-only' : 'mb-3 font-strong'}>{legend}</legend>
      {children}
    </fieldset>
  )
}

/** Fields side by side, where there is room. A field with `col-span-full` has a row to itself. */
export const FieldColumns = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-2 items-end gap-x-4 gap-y-5 phone:grid-cols-1">{children}</div>
)

interface FieldGroupProps {
  legend: string
  legendHidden?: boolean
  children: Elements
}

/** The bar at the foot of a long form. Messages are above it. */
export function FormFoot({ children }: { children: ReactNode }) {
  return (
    <div
      ref={useFootLayer('bar')}
      className="sticky bottom-0 z-1 in-[.has-foot-bar]:mt-(--overlaid) flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-border bg-surface pt-3 pb-[max(var(--space-3),env(safe-area-inset-bottom))]"
      data-form-foot
    >
      {children}
    </div>
  )
}

interface FootSubmitProps {
  busy?: boolean
  /** True without a connection: the form cannot be sent, and the note beside the button says why. */
  offline?: boolean
  children: string
}

/** Sends the form. */
export const FootSubmit = ({ busy, offline, children }: FootSubmitProps) => (
  <Button
    type="submit"
    variant="primary"
    className="phone:flex-1"
    busy={busy}
    aria-disabled={offline || undefined}
    aria-describedby={FOOT_NOTE}
  >
    {children}
  </Button>
)

const FOOT_NOTE = 'foot-note'

/** A note beside the buttons of the foot. On a phone it is above them. */
export function FootNote({ warns, className, children, ...rest }: FootNoteProps) {
  const look = `ml-auto phone:order-first phone:ml-0 phone:basis-full ${warns ? 'font-label text-warn-text' : 'text-muted'}`
  return (
    <span {...rest} id={FOOT_NOTE} className={className ? `${look} ${className}` : look}>
      {children}
    </span>
  )
}

interface FootNoteProps extends ComponentProps<'span'> {
  /** True if it says why the action beside it is not possible now. */
  warns?: boolean
}
