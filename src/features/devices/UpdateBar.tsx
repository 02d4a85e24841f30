import { useSnapshot } from 'valtio/react'
import { acceptUpdate, appUpdate, snoozeUpdate } from '../../offline/update/appUpdate.ts'
import { typing, unsavedWork } from '../../state/unsavedWork.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

/**
 * The update prompt, worded by rule 16.7. It waits while somebody fills in a form, and for the end of what could not be kept
 * over a refresh. The status region stands from the start, so that it is announced when it fills.
 */
export function UpdateBar() {
  const { phase } = useSnapshot(appUpdate)
  const mayShow = !useIsBusy()
  return (
    <div role="status" className="update-place">
      {((phase === 'available' && mayShow) || phase === 'applying') && (
        <div className="update">
          <Icon name="refresh" />
          <span>New version available. Refresh now?</span>
          <Button variant="quiet" onClick={snoozeUpdate} disabled={phase === 'applying'}>
            Later
          </Button>
          <Button onClick={() => void acceptUpdate()} busy={phase === 'applying'}>
            Refresh
          </Button>
        </div>
      )}
    </div>
  )
}

function useIsBusy() {
  const { forms, canKeep } = useSnapshot(unsavedWork)
  const { recent } = useSnapshot(typing)
  return forms.length > 0 && (recent || !canKeep)
}
