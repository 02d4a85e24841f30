import type { ComponentPropsWithRef } from 'react'
import { Field, type ControlProps, type FieldLabels } from './Field.tsx'

interface SelectFieldProps
  extends FieldLabels, ControlProps, Omit<ComponentPropsWithRef<'select'>, keyof ControlProps | 'className'> {
  options: readonly { value: string; label: string }[]
  className?: string
}

export function SelectField(props: SelectFieldProps) {
  const { label, labelEnd, hint, error, id, className, options, onChange, ...select } = props
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => (
        <select className="input" {...select} {...links} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
