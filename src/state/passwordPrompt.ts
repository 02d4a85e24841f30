import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'password-prompt-closed'
const SessionId = v.string()

/**
 * The session in which the server said that the password is older than a year (rule 3.6), and the session in which the user closed
 * the prompt. The next login asks again.
 */
export const passwordPrompt = proxy<{ dueIn: string | null; closedIn: string | null }>({
  dueIn: null,
  closedIn: readStored(KEY, SessionId) ?? null,
})

onStoredElsewhere(KEY, () => {
  passwordPrompt.closedIn = readStored(KEY, SessionId) ?? null
})

/** Stores the prompt from an answer of my_info. The session is stored, too, because another user may be logged in by now. */
export function storePasswordPrompt(profile: { password_expired_prompt: boolean; session: { guid: string } }): void {
  passwordPrompt.dueIn = profile.password_expired_prompt ? profile.session.guid : null
}

export function closePasswordPrompt(): void {
  passwordPrompt.closedIn = passwordPrompt.dueIn
  writeStored(KEY, passwordPrompt.closedIn)
}
