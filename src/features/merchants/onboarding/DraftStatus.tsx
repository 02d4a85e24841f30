import { logOut } from '../../../blocks/accounts/logOut.ts'
import { ConnectivityState } from '../../../blocks/connectivity/ConnectivityState.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { AccountCopy } from '../../../blocks/drafts/AccountDraft.ts'
import type { DraftState } from '../../../blocks/drafts/useDraft.ts'
import { HeaderStatus } from '../../../blocks/page/FrameHeader.tsx'
import { formatTime } from '../../../domain/singaporeTime.ts'
import { confirm } from '../../../state/dialogs.ts'
import { Button } from '../../../ui/Button.tsx'
import { ICONS } from '../../../ui/icons.tsx'

interface DraftStatusProps {
  draft: DraftState
  account: AccountCopy
}

/** Shows in the form's header where the draft was saved and when, whether the device is offline, and Logout. */
export function DraftStatus({ draft, account }: DraftStatusProps) {
  const offline = useOffline()
  const saved = savedText(draft, account)
  return (
    <>
      {saved !== '' && (
        <HeaderStatus
          icon={account.other !== undefined ? ICONS.alert : account.isWaiting ? ICONS.offline : ICONS.ok}
          wideOnly
        >
          <span>{saved}</span>
        </HeaderStatus>
      )}
      {offline && <ConnectivityState />}
      <LogoutButton draft={draft} account={account} />
    </>
  )
}

/** Returns where the draft is, in words; empty without a draft. */
export function savedText(
  { savedAt }: DraftState,
  { isWaiting, savedAt: inAccountAt, other, state }: AccountCopy,
): string {
  if (isWaiting && savedAt) return 'Saved on this device; waiting for the connection'
  const isHereOnly = other !== undefined || state === 'refused'
  if (inAccountAt && !isHereOnly) return `Saved to your account, ${formatTime(inAccountAt)}`
  return savedAt ? `Saved on this device, ${formatTime(savedAt)}` : ''
}

/** Logs out. The answers go from this device; if the account does not have them all, the button asks first. */
export function LogoutButton({ draft, account }: Partial<DraftStatusProps>) {
  const logout = async () => {
    const isKept = !draft?.savedAt || (await account?.draft.sync())
    if (isKept || (await confirm(DISCARD_DRAFT))) await logOut()
  }
  return (
    <Button variant="text" icon={ICONS.out} onClick={() => void logout()}>
      <span className="phone:sr-only">Logout</span>
    </Button>
  )
}

const DISCARD_DRAFT = {
  title: 'Discard your last answers?',
  consequence:
    'Your account does not have your last answers yet, and logging out removes them from this device. “Save and leave” keeps them for your next login here.',
  act: 'Discard and log out',
  dismiss: 'Stay',
  destructive: true,
} as const
