import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import type { DraftState } from '../../../blocks/drafts/useDraft.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { LogoutButton } from '../../onboarding/LogoutButton.tsx'

/** The header of the form: that nothing is lost, whether the line is down, and the way out. */
export function DraftStatus({ draft }: { draft: DraftState }) {
  const offline = useOffline()
  return (
    <>
      {draft.savedAt && (
        <span className="line wide-only">
          <Icon name="ok" />
          <span>Draft saved on this device, {formatTime(draft.savedAt)}</span>
        </span>
      )}
      {offline && <ConnectivityState />}
      <LogoutButton draft={draft.savedAt !== undefined} />
    </>
  )
}
