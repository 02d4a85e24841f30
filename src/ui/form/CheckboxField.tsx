import type { ComponentProps, ComponentPropsWithRef } from 'react'
import type { Elements } from '../Elements.ts'
import { FieldNotes, STACK, useControlLinks, type FieldLabels } from './Field.tsx'

interface CheckboxFieldProps extends Omit<FieldLabels, 'labelEnd'> {
  id?: string
  name?: string
  value: boolean
  onChange: (value: boolean) => void
  onBlur?: () => void
  error?: string
  className?: string
}

const CHECKS = {
  /** The label may have several lines. */
  plain: 'items-start py-[0.375rem]',
  /** In a row with other controls. */
  row: 'items-center',
} as const

interface CheckProps extends ComponentPropsWithRef<'input'> {
  look?: keyof typeof CHECKS
  /** The class of the label. */
  className?: string
}

/** A checkbox or radio button with its label. */
export const Check = ({ look = 'plain', className = '', children, ...input }: CheckProps) => (
  <label className={`flex min-h-control gap-3 ${CHECKS[look]} ${className}`} htmlFor={input.id}>
    <input type="checkbox" className="size-5 flex-none accent-fill phone:mt-[2px]" {...input} />
    <span className="contents">{children}</span>
  </label>
)

/** A single checkbox. Hint and error are above it, as in every field. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { label, hint, error, id, name, value, onChange, onBlur, className } = props
  const links = useControlLinks(id, hint, error)
  return (
    <FieldBox className={className}>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <Check
        className="font-label in-data-group:min-h-0"
        name={name}
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
        onBlur={onBlur}
        {...links}
      >
        {label}
      </Check>
    </FieldBox>
  )
}

interface CheckboxGroupProps<T extends string> extends Omit<FieldLabels, 'labelEnd'> {
  id?: string
  name?: string
  /** The ticked options, in the order of `options`. */
  value: readonly T[]
  onChange: (value: T[]) => void
  onBlur?: () => void
  error?: string
  options: readonly { value: T; label: string }[]
  /** Uses two columns where there is room. */
  inTwoColumns?: boolean
}

export function CheckboxGroup<T extends string>(props: CheckboxGroupProps<T>) {
  const { label, hint, error, id, name, value, options, onChange, onBlur, inTwoColumns } = props
  const links = useControlLinks(id, hint, error)
  const toggle = (option: T) =>
    onChange(options.map((one) => one.value).filter((one) => value.includes(one) !== (one === option)))
  return (
    <FieldSet label={label} {...links}>
      <FieldNotes id={links.id} label={label} hint={hint} error={error} />
      <div className={inTwoColumns ? 'grid grid-cols-2 gap-x-4 phone:grid-cols-1' : undefined}>
        {options.map((option) => (
          <Check
            key={option.value}
            name={name}
            value={option.value}
            checked={value.includes(option.value)}
            onChange={() => toggle(option.value)}
            onBlur={onBlur}
          >
            {option.label}
          </Check>
        ))}
      </div>
    </FieldSet>
  )
}

/** The box of a field. Label, notes and control are its children. */
export const FieldBox = ({ className = '', ...rest }: ComponentProps<'div'>) => (
  <div className={`${STACK} ${className}`} {...rest} />
)

interface FieldSetProps extends Omit<ComponentPropsWithRef<'fieldset'>, 'children'> {
  label: string
  /** Set if the heading above says the same. */
  labelHidden?: boolean | undefined
  children: Elements
}

/** Several controls under one label. */
export const FieldSet = ({ label, labelHidden, className = '', children, ...rest }: FieldSetProps) => (
  <fieldset className={`${STACK} ${className}`} {...rest}>
    <legend className={labelHidden ? 'sr-only' : 'font-label'}>{label}</legend>
    {children}
  </fieldset>
)
