import * as v from 'valibot'
import { proxy } from 'valtio/vanilla'
import { onStoredElsewhere, readStored, writeStored } from './persisted.ts'

const KEY = 'password-prompt-closed'
const SessionId = v.string()

/**
 * The sessions in which the server finds the password older than a year (rule 3.6), and in which the person closed the prompt.
 * A session's end ends both: the next login asks again.
 */
export const passwordPrompt = proxy<{ dueIn: string | null; closedIn: string | null }>({
  dueIn: null,
  closedIn: readStored(KEY, SessionId) ?? null,
})

onStoredElsewhere(KEY, () => {
  passwordPrompt.closedIn = readStored(KEY, SessionId) ?? null
})

/** From my_info, whose session says when it no longer concerns whoever is logged in. */
export function passwordPromptRead(profile: { password_expired_prompt: boolean; session: { guid: string } }): void {
  passwordPrompt.dueIn = profile.password_expired_prompt ? profile.session.guid : null
}

export function closePasswordPrompt(): void {
  passwordPrompt.closedIn = passwordPrompt.dueIn
  writeStored(KEY, passwordPrompt.closedIn)
}
