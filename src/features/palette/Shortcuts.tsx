import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { lazyDialog } from '../../blocks/lazy/lazyDialog.tsx'
import { isTyping, ShortcutKeys, shortcutsNow, useShortcuts, type Shortcut } from '../../blocks/shortcuts/shortcuts.ts'
import type { Feature, PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { auth } from '../../state/auth.ts'
import { closePalette, openPalette, openShortcuts, palette, singleKeys } from '../../state/palette.ts'
import { isCovered } from '../../ui/useRootClass.ts'

const loadPalette = () => import('./Palette.tsx')
const Palette = lazyDialog(
  async () => (await loadPalette()).Palette,
  () => closePalette,
)
const ShortcutSheet = lazyDialog(
  async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet,
  () => closePalette,
)

const GO_TO: [key: string, label: string, path: string, feature?: Feature][] = [
  ['d', 'Dashboard', '/dashboard', 'dashboard'],
  ['v', 'Vouchers', '/vouchers', 'vouchers'],
  ['b', 'Branches', '/branches', 'branches'],
  ['m', 'Masters', '/masters', 'masters'],
  ['t', 'Transaction Report', '/reports/transaction-report', 'reports'],
  ['r', 'Resources', '/resources', 'resources'],
  ['w', 'Downloads', '/downloads', 'downloads'],
  ['a', 'Activity log', '/activity', 'activity'],
  ['e', 'Devices', '/devices', 'pos'],
  ['p', 'Profile', '/profile', 'profile'],
  ['s', 'This device', '/settings/device'],
]

/** The shortcuts of a merchant, and what they open. The counter has none: a scanner types there (decision 0036). */
export function Shortcuts({ user }: { user: User }) {
  const { permissions } = useSnapshot(auth)
  const { open } = useSnapshot(palette)
  const { history } = useRouter()
  useShortcuts([...everywhere, ...goTo(user, permissions, (path) => history.push(path))])
  useKeys(user.guid)
  useEffect(() => closePalette, [user.guid])
  return (
    <>
      {open === 'palette' && <Palette user={user} permissions={permissions} />}
      {open === 'shortcuts' && <ShortcutSheet user={user} />}
    </>
  )
}

const everywhere: Shortcut[] = [
  { keys: 'Mod+k', label: 'Search or run a command', group: 'Everywhere', run: openPalette },
  { keys: '?', label: 'Keyboard shortcuts', group: 'Everywhere', run: openShortcuts },
]

const goTo = (user: User, permissions: PermissionMap, go: (path: string) => void): Shortcut[] =>
  GO_TO.flatMap(([key, label, path, feature]) =>
    feature && !may(user, { feature, action: 'view' }, permissions)
      ? []
      : [{ keys: `g ${key}`, label, group: 'Go to' as const, run: () => go(path) }],
  )

function useKeys(user: string) {
  useEffect(() => {
    const keys = new ShortcutKeys({
      shortcuts: shortcutsNow,
      areSingleKeysOn: () => !singleKeys.off.includes(user),
      isBusy: () => isTyping(document.activeElement) || isCovered() || document.querySelector('[role=menu]') !== null,
      isCovered,
    })
    const listen = (event: KeyboardEvent) => (palette.open && !isCovered() ? typeAhead(event) : keys.press(event))
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [user])
}

/** While the palette is loading for the first time, keys are its text, not shortcuts. */
function typeAhead(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || [...event.key].length > 1) return
  event.preventDefault()
  palette.typedAhead += event.key
}
