import { useEffect, useState, useSyncExternalStore } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { draftsOf } from '../../offline/storage/drafts.ts'
import { ImportJob } from './ImportJob.ts'
import type { ImportKind } from './ImportKind.ts'
import { untilAborted } from './untilAborted.ts'

/** The import of this kind that this device has under way. Only one tab at a time works at it; another one waits. */
export function useImportJob(kind: ImportKind) {
  const { guid } = useUser()
  const [desk] = useState(() => new ImportJob(kind, draftsOf(guid)))
  const state = useSyncExternalStore(desk.subscribe, desk.state)
  const [elsewhere, setElsewhere] = useState(false)
  useEffect(() => desk.use(kind), [desk, kind])
  useEffect(() => {
    const left = new AbortController()
    void whileAlone(`import/${guid}/${kind.key}`, left.signal, setElsewhere, async () => {
      await desk.load()
      await untilAborted(left.signal)
      desk.stop()
      await desk.keep()
    })
    return () => left.abort()
  }, [desk, guid, kind.key])
  return { desk, state, elsewhere }
}

async function whileAlone(
  name: string,
  signal: AbortSignal,
  onElsewhere: (elsewhere: boolean) => void,
  work: () => Promise<void>,
): Promise<void> {
  if (!navigator.locks) return work()
  const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock && !signal.aborted) await work()
    return lock !== null
  })
  if (isFree || signal.aborted) return
  onElsewhere(true)
  await navigator.locks
    .request(name, { signal }, async () => {
      onElsewhere(false)
      await work()
    })
    // Left while waiting.
    .catch(() => undefined)
}
