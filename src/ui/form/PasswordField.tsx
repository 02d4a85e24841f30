import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { Button } from '../Button.tsx'
import { FIRST_ICONS } from '../Icon.tsx'
import { Field, FieldWarning, JOINED_INPUT, type ControlLinks, type ControlProps, type FieldLabels } from './Field.tsx'
import type { NativeInput } from './TextField.tsx'

type PasswordFieldProps = FieldLabels &
  ControlProps &
  Omit<NativeInput, 'type'> & {
    /** The rules of a new password, below the control and part of its description. */
    rules?: ReactNode
  }

export function PasswordField({ label, labelEnd, hint, error, id, rules, onChange, ...input }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const capsLock = useCapsLock()
  const described = (links: ControlLinks) => [links['aria-describedby'], rules && `${links.id}-rules`].filter(Boolean)
  return (
    <Field label={label} labelEnd={labelEnd} hint={hint} error={error} id={id}>
      {(links) => (
        <div>
          <div className="flex" onBlur={capsLock.forget}>
            <input
              className={`${JOINED_INPUT} py-1`}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...input}
              {...links}
              aria-describedby={described(links).join(' ') || undefined}
              type={shown ? 'text' : 'password'}
              onChange={(event) => onChange(event.target.value)}
              onKeyDown={capsLock.read}
              onKeyUp={capsLock.read}
              onMouseDown={capsLock.read}
            />
            <Button
              shape="joined"
              icon={FIRST_ICONS.eye}
              aria-label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          </div>
          <CapsLockHint on={capsLock.on} />
          {rules && <div id={`${links.id}-rules`}>{rules}</div>}
        </div>
      )}
    </Field>
  )
}

/** The empty status is in the page from the start: a screen reader announces only later changes. */
function CapsLockHint({ on }: { on: boolean }) {
  return <div role="status">{on && <FieldWarning>Caps Lock is on.</FieldWarning>}</div>
}

/** Follows Caps Lock. Only keyboard and mouse events tell its state; a page cannot ask for it. */
function useCapsLock() {
  const [on, setOn] = useState(false)
  const read = ({ nativeEvent }: SyntheticEvent<HTMLElement, KeyboardEvent | MouseEvent>) => {
    // A password manager fills fields with keyboard events that have no such method.
    if (nativeEvent.getModifierState) setOn(nativeEvent.getModifierState('CapsLock'))
  }
  return { on, read, forget: () => setOn(false) }
}
