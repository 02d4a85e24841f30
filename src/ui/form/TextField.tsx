import type { ComponentPropsWithRef } from 'react'
import { Field, INPUTS, type ControlProps, type FieldLabels } from './Field.tsx'

export type NativeInput = Omit<ComponentPropsWithRef<'input'>, keyof ControlProps | 'className'>

interface TextFieldProps extends FieldLabels, ControlProps, NativeInput {
  className?: string
  look?: 'text' | 'mono' | 'digits' | 'bigDigits'
}

export function TextField({
  label,
  labelEnd,
  hint,
  error,
  id,
  className,
  look = 'text',
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => (
        <input className={INPUTS[look]} {...input} {...links} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
