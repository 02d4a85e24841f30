import { FieldNotes, useControlLinks, type ControlProps, type FieldLabels } from './Field.tsx'

interface RadioFieldProps extends Omit<FieldLabels, 'labelEnd'>, ControlProps {
  /** `note`: a muted line below the choice. */
  options: readonly { value: string; label: string; note?: string }[]
  disabled?: boolean
  /** The heading above says the same. */
  labelHidden?: boolean
}

export function RadioField({
  label,
  hint,
  error,
  id,
  name,
  value,
  options,
  onChange,
  onBlur,
  disabled,
  labelHidden,
}: RadioFieldProps) {
  const links = useControlLinks(id, hint, error)
  return (
    <fieldset className="field" role="radiogroup" disabled={disabled} onBlur={onBlur} {...links}>
      <legend className={labelHidden ? 'sr-only' : 'legend'}>{label}</legend>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <div className="choices">
        {options.map((option) => (
          <label className="check" key={option.value}>
            <input
              type="radio"
              name={name ?? links.id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>
              {option.label}
              {option.note && <small>{option.note}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
