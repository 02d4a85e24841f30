import { useEffect, useRef } from 'react'
import * as v from 'valibot'
import { authCode } from '../../../contract/fieldSchemas.ts'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { ControlProps } from '../../../ui/form/Field.tsx'

interface AuthCodeFieldProps extends ControlProps {
  hint?: string
  /** The sixth digit sends the form: the code is good for seconds, and nothing else is asked. */
  submits?: boolean
  /** It is what the person came for. */
  focused?: boolean
}

/** The code of an authenticator app: typed, pasted with the blank it is shown with, or filled in by the device. */
export function AuthCodeField({ hint, submits = false, focused = false, ...field }: AuthCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const { value } = field
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  useEffect(() => {
    if (submits && v.is(authCode, value)) input.current?.form?.requestSubmit()
  }, [submits, value])
  return (
    <TextField
      label="6-digit code"
      hint={hint}
      className="auth-code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      ref={input}
      {...field}
    />
  )
}
