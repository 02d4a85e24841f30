import type { Elements } from '../Elements.ts'
import { Notice } from '../Notice.tsx'
import { errorSentence } from './formErrors.ts'
import type { FormView } from './useForm.ts'

const LOOKS = {
  /** A form without fields, sent by a button elsewhere, takes no room. */
  plain: 'grid gap-5 empty:hidden',
  narrow: 'grid max-w-form gap-5',
  /** For a form in sections, which set the space between them. */
  long: 'grid max-w-form *:data-notice:mb-6',
} as const

export function Form({
  form,
  id,
  look = 'plain',
  hidden = false,
  children,
}: {
  form: FormView
  /** For a submit button outside the form, as in a dialog. */
  id?: string
  look?: keyof typeof LOOKS
  /** Invisible, but keeps its room. */
  hidden?: boolean
  children: Elements
}) {
  return (
    <form
      id={id}
      className={hidden ? `${LOOKS[look]} invisible` : LOOKS[look]}
      noValidate
      onSubmit={form.onSubmit}
      aria-busy={form.submitting || undefined}
    >
      {form.failure && (
        <Notice tone="danger" role="alert">
          <p>{form.failure}</p>
        </Notice>
      )}
      {form.errors.length > 1 && <ErrorSummary errors={form.errors} takesFocus={look === 'long'} />}
      {children}
    </form>
  )
}

interface ErrorSummaryProps {
  errors: FormView['errors']
  /** Moves the focus to the summary. In a long form it may be out of sight, far above the submit button. */
  takesFocus: boolean
}

function ErrorSummary({ errors, takesFocus }: ErrorSummaryProps) {
  const goTo = (id: string) => {
    const control = document.getElementById(id)
    const target = control instanceof HTMLFieldSetElement ? control.querySelector<HTMLElement>(FIRST_CONTROL) : control
    target?.focus()
  }
  return (
    <Notice tone="danger" role="alert" title={`Fix ${errors.length} fields to continue`} takesFocus={takesFocus}>
      <ul>
        {errors.map(({ id, message }) => (
          <li key={id}>
            <a
              className="inline-block py-0.5 text-danger-text"
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                goTo(id)
              }}
            >
              {errorSentence(labelOf(id), message)}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const FIRST_CONTROL = 'input:not([hidden]), button'

/**
 * Returns the label of a field, which is in the page before any error. A group's name comes before it, because several groups have
 * equal labels.
 */
export function labelOf(id: string): string {
  const control = document.getElementById(id)
  const label = document.querySelector(`label[for="${CSS.escape(id)}"]`) ?? control?.querySelector('legend')
  const words = label?.textContent ?? control?.getAttribute('aria-label') ?? ''
  const group = control?.closest('fieldset[data-group]')?.querySelector('legend')?.textContent
  return group ? `${group}: ${words}` : words
}
