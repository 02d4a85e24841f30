import { logOut } from '../../../blocks/accounts/logOut.ts'
import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { DraftState } from '../../../blocks/drafts/useDraft.ts'
import { HeaderStatus } from '../../../blocks/page/FrameHeader.tsx'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { confirm } from '../../../state/dialogs.ts'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'

/** Shows in the form's header when the draft was saved, whether the device is offline, and Logout. */
export function DraftStatus({ draft }: { draft: DraftState }) {
  const offline = useOffline()
  return (
    <>
      {draft.savedAt && (
        <HeaderStatus icon={ICONS.ok} wideOnly>
          <span>{`Draft saved on this device, ${formatTime(draft.savedAt)}`}</span>
        </HeaderStatus>
      )}
      {offline && <ConnectivityState />}
      <LogoutButton hasDraft={draft.savedAt !== undefined} />
    </>
  )
}

/** Logs out. Unlike "Save and leave", this removes the draft from this device, so the button asks first. */
export function LogoutButton({ hasDraft = false }: { hasDraft?: boolean }) {
  const logout = async () => {
    if (hasDraft && !(await confirm(DISCARD_DRAFT))) return
    await logOut()
  }
  return (
    <Button variant="text" icon={ICONS.out} onClick={() => void logout()}>
      <span className="phone:sr-only">Logout</span>
    </Button>
  )
}

const DISCARD_DRAFT = {
  title: 'Discard your draft?',
  consequence:
    'Logging out removes what you typed from this device. “Save and leave” keeps it for your next login here.',
  act: 'Discard and log out',
  dismiss: 'Stay',
  destructive: true,
} as const
