import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { User } from '../../contract/accounts/account.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import { closePalette, palette } from '../../state/palette.ts'
import { Icon } from '../../ui/Icon.tsx'
import { foundItems } from './foundItems.ts'
import type { Item } from './Item.ts'
import { PaletteDialog } from './PaletteDialog.tsx'
import { PaletteFoot } from './PaletteFoot.tsx'
import { optionId, PaletteList } from './PaletteList.tsx'
import { rememberRecent } from './recentItems.ts'
import { usePaletteIndex } from './usePaletteIndex.ts'
import { useServerItems } from './useServerItems.ts'

interface Props {
  user: User
  permissions: PermissionMap
}

const LIST = 'palette-list'

/** Where to go and what to do, by a few letters: a combobox over a list, both in one dialog. */
export function Palette(props: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <PaletteDialog title="Find or do" initialFocus={input} onClose={closePalette}>
      <Combobox {...props} input={input} />
    </PaletteDialog>
  )
}

/** Apart from the dialog: a key draws the list and nothing else. */
function Combobox({ user, permissions, input }: Props & { input: RefObject<HTMLInputElement | null> }) {
  const offline = useOffline()
  const ready = usePaletteIndex(user, permissions, offline)
  const [typed, setTyped] = useState(palette.typedAhead)
  const [chosen, setChosen] = useState(0)
  const fromServer = useServerItems(user, typed, offline ? NONE : (ready?.cut ?? NONE))
  const found = foundItems(ready, typed, fromServer)
  // One that comes in later must not take the place of the one that Enter was meant for.
  const active = Math.min(chosen, found.length - 1)
  const run = useRun(user)

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      const item = found[active]?.item
      if (item) run(item)
      return
    }
    const step = STEPS[event.key]
    if (step === undefined || found.length === 0) return
    event.preventDefault()
    setChosen((active + step + found.length) % found.length)
  }

  return (
    <>
      <div className="palette-field">
        <Icon name="search" />
        <input
          ref={input}
          role="combobox"
          aria-label="Find or do"
          aria-expanded="true"
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : optionId(active)}
          placeholder="Screen, branch, POS user, voucher …"
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <PaletteList id={LIST} found={found} active={active} onChoose={run} />
      <PaletteFoot {...{ ready, offline, typed }} count={found.length} />
    </>
  )
}

const NONE: readonly never[] = []
const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Goes there or does it, behind the closed palette: what it opens gives the focus back to where the palette was opened from. */
function useRun(user: User): (item: Item) => void {
  const router = useRouter()
  useEffect(
    () =>
      // A scanner, or Back on a phone, leads elsewhere under the open palette.
      router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
        if (hrefChanged) closePalette()
      }),
    [router],
  )
  return ({ id, go, needs }) => {
    if (needs) return
    flushSync(closePalette)
    if (!id.startsWith('serial/')) void rememberRecent(user.guid, id)
    if (typeof go === 'function') go()
    // The items are of many routes; each names its own.
    else void router.navigate(go as never)
  }
}
