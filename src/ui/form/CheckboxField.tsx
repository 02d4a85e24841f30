import { FieldNotes, useControlLinks, type FieldLabels } from './Field.tsx'

interface CheckboxFieldProps extends Omit<FieldLabels, 'labelEnd'> {
  id?: string
  name?: string
  value: boolean
  onChange: (value: boolean) => void
  onBlur?: () => void
  error?: string
  className?: string
}

/** One yes or no. The label stands behind the box; hint and error above it, as everywhere. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { label, hint, error, id, name, value, onChange, onBlur, className } = props
  const links = useControlLinks(id, hint, error)
  return (
    <div className={className ? `field ${className}` : 'field'}>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <label className="check in-data-group:min-h-0" htmlFor={links.id}>
        <input
          type="checkbox"
          name={name}
          checked={value}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
          {...links}
        />
        {label}
      </label>
    </div>
  )
}

interface CheckboxGroupProps<T extends string> extends Omit<FieldLabels, 'labelEnd'> {
  id?: string
  name?: string
  /** Those that are ticked, in the order of `options`. */
  value: readonly T[]
  onChange: (value: T[]) => void
  onBlur?: () => void
  error?: string
  options: readonly { value: T; label: string }[]
  /** Where there is room. */
  inTwoColumns?: boolean
}

export function CheckboxGroup<T extends string>(props: CheckboxGroupProps<T>) {
  const { label, hint, error, id, name, value, options, onChange, onBlur, inTwoColumns } = props
  const links = useControlLinks(id, hint, error)
  const toggle = (option: T) =>
    onChange(options.map((one) => one.value).filter((one) => value.includes(one) !== (one === option)))
  return (
    <fieldset className="field" {...links}>
      <legend className="legend">{label}</legend>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <div className={inTwoColumns ? 'grid grid-cols-2 gap-x-4 phone:grid-cols-1' : undefined}>
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
