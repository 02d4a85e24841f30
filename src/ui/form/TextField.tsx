import type { ComponentPropsWithRef } from 'react'
import { Field, type ControlProps, type FieldLabels } from './Field.tsx'

export type NativeInput = Omit<ComponentPropsWithRef<'input'>, keyof ControlProps | 'className'>

interface TextFieldProps extends FieldLabels, ControlProps, NativeInput {
  className?: string
}

export function TextField({ label, labelEnd, hint, error, id, className, onChange, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => <input className="input" {...input} {...links} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}
