import { useEffect, useRef } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { authCode, recoveryCode } from '../../../contract/wireFields.ts'
import type { ControlProps } from '../../../ui/form/Field.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { toFormFailure } from '../../record/toFormFailure.ts'

interface AuthCodeFieldProps extends ControlProps {
  hint?: string
  /** Submits the form with the sixth digit, because the code is valid for seconds only. */
  submits?: boolean
  /** Gives the field the focus at once. */
  focused?: boolean
}

/** A field for the code of an authenticator app. The code may be typed, pasted with a space in it, or filled in by the device. */
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
      look="bigDigits"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCorrect="off"
      spellCheck={false}
      ref={input}
      {...field}
    />
  )
}

interface RecoveryCodeFieldProps extends ControlProps {
  hint?: string
  /** Gives the field the focus at once. */
  focused?: boolean
}

/** A field for a recovery code. Upper or lower case and dashes do not matter. */
export function RecoveryCodeField({ hint, focused = false, ...field }: RecoveryCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  return (
    <TextField
      label="Recovery code"
      hint={hint}
      look="mono"
      autoComplete="off"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      ref={input}
      {...field}
    />
  )
}

/** A field that accepts a code of the authenticator app or a recovery code. */
export const AnyCodeField = ({ hint, ...field }: ControlProps & { hint: string }) => (
  <TextField
    label="Code"
    hint={hint}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    autoCorrect="off"
    spellCheck={false}
    {...field}
  />
)

/**
 * Returns why a code was refused, for the field `code`. A wrong code is cleared, because typing it again is quicker. After too many attempts the code
 * is cleared too, because the app will show another one after the wait.
 */
export function codeFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return { message: 'Checking a code needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'MFA_CODE_WRONG': {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'code', message }], clears: ['code'] }
    }
    case 'TOO_MANY_ATTEMPTS':
      return { ...toFormFailure(error), clears: ['code'] }
    default:
      return toFormFailure(error)
  }
}

/** Six digits with spaces have at most ten characters; a recovery code has sixteen. */
const looksLikeAuthCode = (typed: unknown) => typeof typed === 'string' && /^[\d\s-]{0,10}$/.test(typed)

/** Accepts a code of the authenticator app, or a recovery code if the app is lost. */
export const anyCode = v.lazy((typed) => (looksLikeAuthCode(typed) ? authCode : recoveryCode))

/** Returns why the password or the code was refused, for the field with the mistake. */
export function reauthenticationFailure(error: unknown): FormFailure {
  if (error instanceof ApiError) {
    if (error.isConnectionFault) return { message: 'This needs a connection. What you typed is kept.' }
    if (error.code === 'WRONG_PASSWORD') {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'current_password', message }] }
    }
  }
  return codeFailure(error)
}
