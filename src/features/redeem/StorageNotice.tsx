import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { requestPersistence, readPersistence, persistence } from '../../offline/page/persistence.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Says that the browser may clear what this till has not uploaded, and asks it once more on the person's word. */
export function PersistenceNotice() {
  const { granted } = useSnapshot(persistence)
  useEffect(() => void readPersistence(), [])
  if (granted !== false) return null
  return (
    <Notice
      tone="warn"
      title="This browser may clear stored data"
      action={<Button onClick={() => void requestPersistence()}>Ask again</Button>}
    >
      <p>
        When the device runs full, it could take vouchers that are not uploaded with it. Installing the portal helps.
      </p>
    </Notice>
  )
}
