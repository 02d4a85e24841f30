import { useSnapshot } from 'valtio/react'
import { acceptUpdate, appUpdate, snoozeUpdate } from '../../offline/update/appUpdate.ts'
import { service, typing, unsavedWork } from '../../state/unsavedWork.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { useFootLayer } from '../../ui/useRootClass.ts'

/**
 * The update prompt, worded by rule 16.7. It waits while the person types in a form, while a refresh would lose
 * something, and while a customer is served at the counter. The status region is always in the page, so that a screen
 * reader announces the prompt when it appears.
 */
export function UpdateBar() {
  const { phase } = useSnapshot(appUpdate)
  const mayShow = !useIsBusy()
  return (
    <div
      ref={useFootLayer('prompt')}
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(max(1rem,env(safe-area-inset-bottom))+var(--keyboard,0px)+var(--bar,0px))] z-10 grid justify-items-start phone:justify-items-stretch print:hidden"
      data-update-bar
    >
      {((phase === 'available' && mayShow) || phase === 'applying') && (
        // Inverts its colours and those of its content.
        <div className="pointer-events-auto flex min-h-12 flex-wrap items-center gap-3 rounded-2 bg-surface-inverse py-2 pr-2 pl-4 text-text-inverse [--focus:var(--link-inverse)] [box-shadow:var(--shadow-1)]">
          <span className="flex items-center gap-3">
            <Icon drawing={ICONS.refresh} />
            New version available. Refresh now?
          </span>
          {/* On a phone the buttons are in a row of their own, at the right. */}
          <span className="ml-auto flex gap-3">
            <Button
              variant="quiet"
              className="[--link:var(--text-inverse)] [--surface-hover:transparent] [--text-disabled:var(--text-inverse)] hover:underline"
              onClick={snoozeUpdate}
              disabled={phase === 'applying'}
            >
              Later
            </Button>
            <Button
              className="[--border-control:transparent]"
              onClick={() => void acceptUpdate()}
              busy={phase === 'applying'}
            >
              Refresh
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

function useIsBusy() {
  const { forms, canKeep } = useSnapshot(unsavedWork)
  const { recent } = useSnapshot(typing)
  const { isUnderWay } = useSnapshot(service)
  return isUnderWay || (forms.length > 0 && (recent || !canKeep))
}
