import { useEffect, useState } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { isOpenDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { followUnsent, type Unsent } from '../../offline/page/till/followUnsent.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'

export interface WaitingOnDevice {
  /** Of the signed-in person: everything that was not saved yet. */
  downloads: number
  /** Taken by anyone at this counter. */
  uploads: Unsent
}

/** What waits on this device, live. */
export function useWaitingOnDevice(): WaitingOnDevice {
  const { guid } = useUser()
  const rows = useLiveQuery(() => readOutbox(userStore(guid)), `waiting-here/${guid}`) ?? []
  const [uploads, setUploads] = useState<Unsent>({ count: 0, cents: 0 })
  useEffect(() => followUnsent(setUploads), [])
  return { downloads: rows.filter(isOpenDownload).length, uploads }
}
