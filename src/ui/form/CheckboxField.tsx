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
      <label className="check" htmlFor={links.id}>
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
