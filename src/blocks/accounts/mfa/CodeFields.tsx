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
  /** The sixth digit sends the form: the code is good for seconds, and nothing else is asked. */
  submits?: boolean
  /** It is what the person came for. */
  focused?: boolean
}

/** The code of an authenticator app: typed, pasted with the space it is shown with, or filled in by the device. */
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
  /** It is what the person came for. */
  focused?: boolean
}

/** Case and dashes are free. */
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

/** A code of the authenticator app or a recovery code, whichever is at hand. */
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
 * Why a code was not taken, at its field `code`. A wrong one is cleared, for nobody repairs six digits; so is one that has to
 * wait, for it will be another by then.
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

/** Six digits with spaces are ten characters at most; a recovery code has sixteen. */
const looksLikeAuthCode = (typed: unknown) => typeof typed === 'string' && /^[\d\s-]{0,10}$/.test(typed)

/** Of the authenticator app, which may be lost: a recovery code is accepted too. */
export const anyCode = v.lazy((typed) => (looksLikeAuthCode(typed) ? authCode : recoveryCode))

/** Why password or code was refused, at its field. */
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
