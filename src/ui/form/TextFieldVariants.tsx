import type { ComponentProps, ComponentPropsWithRef } from 'react'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { Field, INPUT_BOX, type ControlProps, type FieldLabels } from './Field.tsx'
import { TextField, type NativeInput } from './TextField.tsx'

interface TextAreaProps
  extends FieldLabels, ControlProps, Omit<ComponentPropsWithRef<'textarea'>, keyof ControlProps | 'className'> {
  className?: string
}

export function TextArea(props: TextAreaProps) {
  const { label, labelEnd, hint, error, id, className, onChange, ...textarea } = props
  return (
    <Field label={label} labelEnd={labelEnd} hint={hint} error={error} id={id} className={className}>
      {(links) => (
        <textarea
          className={`${INPUT_BOX} w-full resize-y px-3 py-2`}
          rows={2}
          {...textarea}
          {...links}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/**
 * A count or an amount. It stays text until the schema parses it: a native number field discards input that it does not understand,
 * and changes when the mouse wheel turns.
 */
export const NumberField = (props: Omit<ComponentProps<typeof TextField>, 'type' | 'inputMode'>) => (
  <TextField inputMode="numeric" autoComplete="off" {...props} />
)

interface SearchFieldProps extends FieldLabels, ControlProps, Omit<NativeInput, 'type'> {
  className?: string
}

export function SearchField({ label, labelEnd, hint, error, id, className, onChange, ...input }: SearchFieldProps) {
  return (
    <Field label={label} labelEnd={labelEnd} hint={hint} error={error} id={id} className={className}>
      {(links) => (
        <div className="relative">
          <Icon
            drawing={ICONS.search}
            small
            className="pointer-events-none absolute top-1/2 left-[0.625rem] -translate-y-1/2 text-muted"
          />
          <input
            className={`${INPUT_BOX} w-full py-1 pr-3 pl-[2.25rem] text-ellipsis`}
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
