import { useLocation } from '@tanstack/react-router'
import { useEffect, useReducer } from 'react'
import { useSnapshot } from 'valtio/react'
import { type BaseState, baseStates } from '../../api/baseUrl.ts'
import { auth } from '../../state/auth.ts'

/** The bases of this moment: looked at anew with every page, with every login and logout, and when another tab changes storage. */
export function useBaseStates(): BaseState[] {
  useLocation({ select: ({ pathname }) => pathname })
  useSnapshot(auth)
  const [, lookAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    addEventListener('storage', lookAgain)
    return () => removeEventListener('storage', lookAgain)
  }, [])
  return baseStates()
}
