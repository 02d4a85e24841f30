import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { lazyDialog } from '../../blocks/lazy/lazyDialog.tsx'
import type { User } from '../../contract/accounts/user.ts'
import { auth } from '../../state/auth.ts'
import { closePalette, openPalette, palette } from '../../state/palette.ts'
import { isCovered } from '../../ui/useRootClass.ts'

const Palette = lazyDialog(
  async () => (await import('./Palette.tsx')).Palette,
  () => closePalette,
)

/**
 * Opens the palette with Ctrl K or ⌘K. The counter has no palette: a scanner types there, and some scanners send control
 * characters.
 */
export function PaletteKey({ user }: { user: User }) {
  const { permissions } = useSnapshot(auth)
  const { isOpen } = useSnapshot(palette)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => (palette.isOpen && !isCovered() ? typeAhead(event) : openByKey(event))
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      closePalette()
    }
  }, [user.guid])
  return isOpen && <Palette user={user} permissions={permissions} />
}

function openByKey(event: KeyboardEvent) {
  const isPaletteKey = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
  // Dialogs are never stacked.
  if (!isPaletteKey || event.repeat || event.defaultPrevented || isCovered()) return
  event.preventDefault()
  openPalette()
}

/** Keeps the keys that are typed while the palette loads for the first time. */
function typeAhead(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || [...event.key].length > 1) return
  event.preventDefault()
  palette.typedAhead += event.key
}
