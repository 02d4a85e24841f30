import type { ComponentPropsWithRef } from 'react'
import { Field, INPUT_BOX, type ControlProps, type FieldLabels } from './Field.tsx'

interface SelectFieldProps
  extends FieldLabels, ControlProps, Omit<ComponentPropsWithRef<'select'>, keyof ControlProps | 'className'> {
  options: readonly (Option | { group: string; options: readonly Option[] })[]
  className?: string
}

interface Option {
  value: string
  label: string
  /** A name or an amount. Page translators leave it unchanged. */
  exact?: true
}

/** The class of a select. Its container sets the width. */
export const SELECT = `${INPUT_BOX} appearance-none bg-arrow bg-position-[right_0.625rem_center] bg-size-[1rem] bg-no-repeat py-1 pr-8 pl-3`

export function SelectField(props: SelectFieldProps) {
  const { label, labelEnd, hint, error, id, className, options, onChange, ...select } = props
  return (
    <Field label={label} labelEnd={labelEnd} hint={hint} error={error} id={id} className={className}>
      {(links) => (
        <select
          className={`${SELECT} w-full`}
          {...select}
          {...links}
          onChange={(event) => onChange(event.target.value)}
        >
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

const toOption = ({ value, label, exact }: Option) => (
  <option key={value} value={value} translate={exact && 'no'}>
    {label}
  </option>
)
