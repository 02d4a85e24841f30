import { useSnapshot } from 'valtio/react'
import { auth } from '../../../state/auth.ts'
import { passwordPrompt } from '../../../state/passwordPrompt.ts'

/** Whether to suggest a new password: this one is older than a year, and nobody has closed the prompt since the login (rule 3.6). */
export function usePasswordDue(): boolean {
  const { session } = useSnapshot(auth)
  const { dueIn, closedIn } = useSnapshot(passwordPrompt)
  return session !== null && dueIn === session.guid && closedIn !== session.guid
}
