import type { ComponentPropsWithRef } from 'react'
import { Field, INPUTS, type ControlProps, type FieldLabels } from './Field.tsx'

interface SelectFieldProps
  extends FieldLabels, ControlProps, Omit<ComponentPropsWithRef<'select'>, keyof ControlProps | 'className'> {
  options: readonly (Option | { group: string; options: readonly Option[] })[]
  className?: string
}

interface Option {
  value: string
  label: string
}

export function SelectField(props: SelectFieldProps) {
  const { label, labelEnd, hint, error, id, className, options, onChange, ...select } = props
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => (
        <select className={INPUTS.select} {...select} {...links} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) =>
            'group' in option ? (
              <optgroup key={option.group} label={option.group}>
                {option.options.map(toOption)}
              </optgroup>
            ) : (
              toOption(option)
            ),
          )}
        </select>
      )}
    </Field>
  )
}

const toOption = ({ value, label }: Option) => (
  <option key={value} value={value}>
    {label}
  </option>
)
