import { Field, type ControlProps, type FieldLabels } from './form/Field.tsx'
import { Icon } from './Icon.tsx'
import type { NativeInput } from './form/TextField.tsx'

interface SearchFieldProps extends FieldLabels, ControlProps, Omit<NativeInput, 'type'> {
  className?: string
}

export function SearchField({ label, labelEnd, hint, error, id, className, onChange, ...input }: SearchFieldProps) {
  return (
    <Field {...{ label, labelEnd, hint, error, id, className }}>
      {(links) => (
        <div className="with-icon">
          <Icon name="search" small />
          <input
            className="input"
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            {...input}
            {...links}
            onChange={(event) => onChange(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
