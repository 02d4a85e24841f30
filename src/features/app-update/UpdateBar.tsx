import { useSnapshot } from 'valtio/react'
import { acceptUpdate, appUpdate, snoozeUpdate } from '../../offline/page/appUpdate.ts'
import { unsavedWork } from '../../state/unsavedWork.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'

/**
 * The update prompt, in the spec's words (§1). It waits while something on the page is not finished. The status region stands
 * from the start, so that it is announced when it fills.
 */
export function UpdateBar() {
  const { phase } = useSnapshot(appUpdate)
  const unsaved = useSnapshot(unsavedWork).forms.length > 0
  return (
    <div role="status" className="update-place">
      {((phase === 'available' && !unsaved) || phase === 'applying') && (
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
