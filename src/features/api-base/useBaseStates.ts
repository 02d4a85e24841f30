import { useEffect, useReducer } from 'react'
import { useSnapshot } from 'valtio/react'
import { type BaseState, baseStates } from '../../api/baseStates.ts'
import { auth } from '../../state/auth.ts'
import { shell } from '../../state/shell.ts'

/** The bases of this moment: looked at anew with every page, with every login and logout, and when another tab changes storage. */
export function useBaseStates(): BaseState[] {
  useSnapshot(auth)
  // Every page has a title of its own. The router would tell as well, and its hook cost the first screen 400 bytes.
  useSnapshot(shell)
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    addEventListener('storage', lookAgain)
    return () => removeEventListener('storage', lookAgain)
  }, [])
  return baseStates()
}
