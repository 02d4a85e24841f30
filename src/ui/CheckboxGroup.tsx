import { FieldNotes, useControlLinks, type FieldLabels } from './form/Field.tsx'

interface CheckboxGroupProps<T extends string> extends Omit<FieldLabels, 'labelEnd'> {
  id?: string
  name?: string
  /** Those that are ticked, in the order of `options`. */
  value: readonly T[]
  onChange: (value: T[]) => void
  onBlur?: () => void
  error?: string
  options: readonly { value: T; label: string }[]
  className?: string
}

export function CheckboxGroup<T extends string>(props: CheckboxGroupProps<T>) {
  const { label, hint, error, id, name, value, options, onChange, onBlur, className } = props
  const links = useControlLinks(id, hint, error)
  const toggle = (option: T) =>
    onChange(options.map((one) => one.value).filter((one) => value.includes(one) !== (one === option)))
  return (
    <fieldset className={className ? `field ${className}` : 'field'} {...links}>
      <legend className="legend">{label}</legend>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <div>
        {options.map((option) => (
          <label className="check" key={option.value}>
            <input
              type="checkbox"
              name={name}
              value={option.value}
              checked={value.includes(option.value)}
              onChange={() => toggle(option.value)}
              onBlur={onBlur}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
