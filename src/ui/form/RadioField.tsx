import { Check, FieldSet } from './CheckboxField.tsx'
import { FieldNotes, useControlLinks, type ControlProps, type FieldLabels } from './Field.tsx'

interface RadioFieldProps extends Omit<FieldLabels, 'labelEnd'>, ControlProps {
  /** `note`: a muted line below the choice. */
  options: readonly { value: string; label: string; note?: string }[]
  disabled?: boolean
  /** Set if the heading above says the same. */
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
    <FieldSet label={label} labelHidden={labelHidden} role="radiogroup" disabled={disabled} onBlur={onBlur} {...links}>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      {/* Choices with notes are below each other. */}
      <div className={options.some(({ note }) => note) ? 'grid' : 'flex flex-wrap gap-x-6'}>
        {options.map((option) => (
          <Check
            key={option.value}
            type="radio"
            name={name ?? links.id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          >
            <span>
              <span>{option.label}</span>
              {option.note && <small className="block [font-size:inherit] text-muted">{option.note}</small>}
            </span>
          </Check>
        ))}
      </div>
    </FieldSet>
  )
}
