import { useSnapshot } from 'valtio/react'
import { auth } from '../../../state/auth.ts'
import { passwordPrompt } from '../../../state/passwordPrompt.ts'

/** True if a new password should be suggested: this one is older than a year, and the prompt was not closed since the login (rule 3.6). */
export function usePasswordDue(): boolean {
  const { session } = useSnapshot(auth)
  const { dueIn, closedIn } = useSnapshot(passwordPrompt)
  return session !== null && dueIn === session.guid && closedIn !== session.guid
}
