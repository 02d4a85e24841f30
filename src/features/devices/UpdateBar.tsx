import { useSnapshot } from 'valtio/react'
import { acceptUpdate, appUpdate, snoozeUpdate } from '../../offline/update/appUpdate.ts'
import { typing, unsavedWork } from '../../state/unsavedWork.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

/**
 * The update prompt, worded by rule 16.7. It waits while somebody types in a form, and while there is something that a refresh
 * would lose. The status region is always in the page, so that a screen reader announces the prompt when it appears.
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
