import { useId, type ComponentProps, type ReactNode } from 'react'
import { FIRST_ICONS, Icon } from '../Icon.tsx'
import { errorSentence } from './formErrors.ts'

/** The texts that a screen gives to a field; `useForm` gives the rest. */
export interface FieldLabels {
  label: string
  hint?: ReactNode
  /** Shown at the right of the label, like "Forgot password?". Tab reaches it after the control. */
  labelEnd?: ReactNode
}

/** The result of `form.field(name)`, which every control accepts. */
export interface ControlProps {
  id?: string
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string
}

/** The attributes of the control. */
export interface ControlLinks {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

interface FieldProps extends FieldLabels {
  id?: string
  error?: string
  className?: string
  children: (links: ControlLinks) => ReactNode
}

/** Label, hint, error and control, in this order. The field connects them by id, so that no screen has to. */
export function Field({ id, label, labelEnd, hint, error, className = '', children }: FieldProps) {
  const links = useControlLinks(id, hint, error)
  return (
    <div className={`${labelEnd ? WITH_LABEL_END : STACK} ${className}`}>
      <label className="font-label" htmlFor={links.id}>
        {label}
      </label>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      {labelEnd ? <div className="col-span-full grid">{children(links)}</div> : children(links)}
      {labelEnd && <div className="col-start-2 row-start-1">{labelEnd}</div>}
    </div>
  )
}

export const STACK = 'grid content-start gap-1'

/** The label's end is in the row of the label, but after the control in the tab order, so that Tab goes from name to password. */
const WITH_LABEL_END = 'grid grid-cols-[minmax(0,1fr)_auto] content-start gap-x-4 gap-y-1'

export function useControlLinks(id: string | undefined, hint: ReactNode, error: string | undefined): ControlLinks {
  const ownId = useId()
  const control = id ?? ownId
  const descriptionIds = [error && `${control}-error`, hint && `${control}-hint`].filter(Boolean).join(' ')
  return { id: control, 'aria-invalid': error ? true : undefined, 'aria-describedby': descriptionIds || undefined }
}

export function FieldNotes({ id, label, hint, error }: FieldLabels & { id: string; error?: string }) {
  return (
    <>
      {hint && (
        <span className="col-span-full text-muted" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <FieldError className="col-span-full" id={`${id}-error`}>
          {errorSentence(label, error)}
        </FieldError>
      )}
    </>
  )
}

export const FieldError = ({ className = '', children, ...rest }: ComponentProps<'span'>) => (
  <span className={`flex gap-1 font-label text-danger-text ${className}`} {...rest} data-error>
    <Icon drawing={FIRST_ICONS.alert} small className="mt-[2px]" />
    <span className="contents">{children}</span>
  </span>
)

/** A warning: the value is valid, but another one would be better. */
export const FieldWarning = ({ children }: { children: ReactNode }) => (
  <span className="mt-1 flex items-center gap-1 font-label text-warn-text">
    <Icon drawing={FIRST_ICONS.alert} small />
    <span className="contents">{children}</span>
  </span>
)

/** The edge of an input in each of its states. */
export const INPUT_EDGE =
  'border border-border-control bg-surface placeholder:text-muted hover:border-text-muted focus-visible:outline-offset-0 aria-invalid:border-danger-control aria-invalid:[box-shadow:inset_0_0_0_1px_var(--danger-control)] locked:border-border-strong locked:bg-surface-sunken locked:text-muted'

export const INPUT_BOX = `${INPUT_EDGE} min-h-control rounded-1`

/** An input that shares its box with a button. A width in percent fits a narrow card; the default width in characters does not. */
export const JOINED_INPUT = `${INPUT_EDGE} min-h-control w-full min-w-0 flex-1 rounded-l-1 px-3 focus-visible:z-1`
