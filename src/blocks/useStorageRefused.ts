import { useEffect, useState } from 'react'
import { userStore } from '../offline/page/userStore.ts'
import { useUser } from './useUser.ts'

/** Whether this browser lets the portal store nothing, as some private windows do: what is queued or kept is not there then. */
export function useStorageRefused(): boolean {
  const { guid } = useUser()
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    let live = true
    void userStore(guid)
      .open()
      .then(
        () => false,
        () => true,
      )
      .then((now) => live && setRefused(now))
    return () => {
      live = false
    }
  }, [guid])
  return refused
}
