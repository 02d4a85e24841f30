import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { clearedWhen } from '../../blocks/devices/lackMessages.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { persistence, requestPersistence } from '../../offline/storage/storageHealth.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts, Panel } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'

/** How much storage the portal uses, and whether the browser may clear it. */
export function StoragePanel() {
  const used = useStorageUsed()
  return (
    <Panel title="Storage">
      <Facts
        facts={[
          ['Used', used ? <Used key="used" {...used} /> : 'This browser does not say'],
          ['Protected from deletion', <Persistence key="persistence" />],
        ]}
      />
    </Panel>
  )
}

function Used({ usage, quota }: { usage: number; quota: number }) {
  return (
    <>
      {formatBytes(usage)} of {formatBytes(quota)}
      <ProgressBar className="mt-2" label="Storage used" value={quota > 0 ? usage / quota : 1} />
    </>
  )
}

/** The browser decides, often without asking the person, so its answer is shown either way. */
function Persistence() {
  const { granted } = useSnapshot(persistence)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => setRefused((now) => now && granted !== true), [granted])
  if (granted) return 'Yes. The browser does not delete offline data.'
  return (
    <>
      <p>No. {clearedWhen()}</p>
      <Button className="mt-2" onClick={() => void requestPersistence().then((given) => setRefused(!given))}>
        Ask the browser
      </Button>
      <p role="status" className="text-muted">
        {isRefused && 'The browser said no. Install the portal, or use it often, then ask again.'}
      </p>
    </>
  )
}

const READ_EVERY_MS = 10_000

/** Bytes, as the browser estimates them for this origin; undefined in one that does not. */
function useStorageUsed(): { usage: number; quota: number } | undefined {
  const [used, setUsed] = useState<{ usage: number; quota: number }>()
  useEffect(() => {
    let live = true
    const read = async () => {
      const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
      if (live && usage !== undefined && quota !== undefined) setUsed({ usage, quota })
    }
    void read()
    const timer = setInterval(() => void read(), READ_EVERY_MS)
    return () => {
      live = false
      clearInterval(timer)
    }
  }, [])
  return used
}
