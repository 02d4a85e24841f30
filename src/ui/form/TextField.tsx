import type { ComponentPropsWithRef } from 'react'
import { Field, INPUT_BOX, INPUT_EDGE, type ControlProps, type FieldLabels } from './Field.tsx'

export type NativeInput = Omit<ComponentPropsWithRef<'input'>, keyof ControlProps | 'className'>

interface TextFieldProps extends FieldLabels, ControlProps, NativeInput {
  className?: string
  look?: keyof typeof LOOKS
}

const LOOKS = {
  text: `${INPUT_BOX} w-full px-3 py-1`,
  /** Text for machines, like a key. */
  mono: `${INPUT_BOX} w-full px-3 py-1 font-mono`,
  digits: `${INPUT_BOX} w-[8rem] px-3 py-1 tracking-[0.08em]`,
  /** Digits, on a screen that asks for nothing else. */
  bigDigits: `${INPUT_EDGE} min-h-12 w-[11rem] rounded-1 px-3 py-1 [font-size:var(--text-2xl)] font-label tracking-[0.12em]`,
} as const

export function TextField({
  label,
  labelEnd,
  hint,
  error,
  id,
  className,
  look = 'text',
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} labelEnd={labelEnd} hint={hint} error={error} id={id} className={className}>
      {(links) => (
        <input className={LOOKS[look]} {...input} {...links} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
