import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { acceptUpdate, appUpdate, checkForUpdate, type UpdateCheck as Outcome } from '../../offline/update/appUpdate.ts'
import { Button } from '../../ui/Button.tsx'

const UPDATE_MESSAGES: Record<Outcome, string> = {
  current: 'This is the newest version.',
  available: 'A new version is on this device.',
  unreachable: 'The server could not be reached.',
}

/** Looks for a newer build on a person's word, and takes it on another. */
export function UpdateCheck() {
  const { phase } = useSnapshot(appUpdate)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Outcome>()
  const check = async () => {
    setBusy(true)
    setFound(await checkForUpdate())
    setBusy(false)
  }
  const waits = phase !== 'none'
  const said = waits ? 'available' : found
  return (
    <>
      {waits ? (
        <Button busy={phase === 'applying'} onClick={() => void acceptUpdate()}>
          Update now
        </Button>
      ) : (
        <Button busy={busy} onClick={() => void check()}>
          Check now
        </Button>
      )}
      <p role="status" className="muted">
        {said && UPDATE_MESSAGES[said]}
      </p>
    </>
  )
}
