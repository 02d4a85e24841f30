import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { buttonClass, type ButtonLook } from './buttonClass.ts'
import { Icon } from './Icon.tsx'
import type { IconName } from './iconPaths.tsx'
import { Spinner } from './Spinner.tsx'

interface ButtonProps extends ButtonLook, ComponentPropsWithRef<'button'> {
  icon?: IconName
  /** The act is under way: same word, same width, same focus; further presses do nothing. */
  busy?: boolean
}

export function Button({ variant, wide, big, icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  const look = buttonClass({ variant, wide, big })
  // Unlike `disabled`, aria-disabled leaves the focus where it is; a press, or Enter in the form, must still do nothing.
  const still = busy || rest['aria-disabled'] === true
  const press = (event: MouseEvent<HTMLButtonElement>) => (still ? event.preventDefault() : onClick?.(event))
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${look} ${className}` : look}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy ? <BusySlot icon={icon} /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export function BusySlot({ icon }: { icon?: IconName }) {
  return (
    <span className={icon ? 'busy-slot' : 'busy-slot bare'}>
      {icon && <Icon name={icon} />}
      <Spinner />
    </span>
  )
}
