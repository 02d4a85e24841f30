import type { FormFailure } from '../../../ui/form/useForm.ts'

// The prerendered login reads this file too, so it imports types only.

/** Shown where this browser did not get the server's own text (rule 4.5). */
export const MULTI_LOGIN_MESSAGE = 'This account logged in on another device. Only one active session is allowed.'

export const SIGN_IN_OFFLINE: FormFailure = { message: 'Logging in needs a connection. What you typed is kept.' }
