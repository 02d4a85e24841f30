import { useId, type ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { errorSentence } from './formErrors.ts'

/** What a screen says about a field; `useForm` gives the rest. */
export interface FieldLabels {
  label: string
  hint?: ReactNode
  /** Shown beside the label, at the right; the keyboard comes to it after the control: "Forgot password?". */
  labelEnd?: ReactNode
}

/** The shape of `form.field(name)`: every control takes it. */
export interface ControlProps {
  id?: string
  name?: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  error?: string
}

/** Goes onto the control itself. */
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

/** Label, hint, error, control, in this order. Owns what ties them together, so that no screen repeats it. */
export function Field({ id, label, labelEnd, hint, error, className, children }: FieldProps) {
  const links = useControlLinks(id, hint, error)
  return (
    <div className={['field', labelEnd && 'has-label-end', className].filter(Boolean).join(' ')}>
      <label htmlFor={links.id}>{label}</label>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      {children(links)}
      {labelEnd && <div className="label-end">{labelEnd}</div>}
    </div>
  )
}

export function useControlLinks(id: string | undefined, hint: ReactNode, error: string | undefined): ControlLinks {
  const own = useId()
  const control = id ?? own
  const described = [error && `${control}-error`, hint && `${control}-hint`].filter(Boolean).join(' ')
  return { id: control, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined }
}

export function FieldNotes({ id, label, hint, error }: FieldLabels & { id: string; error?: string }) {
  return (
    <>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="err" id={`${id}-error`}>
          <Icon name="alert" small />
          {errorSentence(label, error)}
        </span>
      )}
    </>
  )
}
