import type { ComponentPropsWithRef } from 'react'
import { Field, type ControlProps, type FieldLabels } from './Field.tsx'

interface TextAreaProps
  extends FieldLabels, ControlProps, Omit<ComponentPropsWithRef<'textarea'>, keyof ControlProps | 'className'> {
  className?: string
}

export function TextArea(props: TextAreaProps) {
  const { label, labelEnd, hint, error, id, className, onChange, ...textarea } = props
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => (
        <textarea
          className="input"
          rows={2}
          {...textarea}
          {...links}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
