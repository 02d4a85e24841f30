import type { ReactNode } from 'react'
import { useRootClass } from '../useRootClass.ts'

interface FormSectionProps {
  id: string
  /** Where the sections are steps, one after the other. */
  number?: number
  title: string
  note?: ReactNode
  children: ReactNode
}

/** A part of a long form. Its heading takes the focus when the rail leads to it. */
export function FormSection({ id, number, title, note, children }: FormSectionProps) {
  return (
    <section className="section" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`} tabIndex={-1}>
          {number === undefined ? title : `${number}. ${title}`}
        </h2>
        {note && <p>{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** The bar that stays at the foot of a long form; messages make room for it. */
export function FormFoot({ children }: { children: ReactNode }) {
  useRootClass('has-form-foot')
  return <div className="form-foot">{children}</div>
}
