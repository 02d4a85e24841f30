import * as Radix from '@radix-ui/react-dialog'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { AsOf } from '../../blocks/cached/AsOf.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { closePalette, palette } from '../../state/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useReturnFocus } from '../../ui/overlay/Dialog.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { foundItems } from './foundItems.ts'
import type { Item } from './Item.ts'
import { optionId, PaletteList } from './PaletteList.tsx'
import { rememberRecent } from './recentItems.ts'
import { usePaletteIndex, type PaletteIndex } from './usePaletteIndex.ts'
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

interface PaletteDialogProps {
  title: string
  initialFocus: RefObject<HTMLElement | null>
  onClose: () => void
  children: ReactNode
}

/** A dialog that is a list: near the top, of one height, and a press beside it closes, for there is nothing to lose. */
export function PaletteDialog({ title, initialFocus, onClose, children }: PaletteDialogProps) {
  const focus = useReturnFocus(() => initialFocus.current)
  useRootClass('has-dialog')
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="scrim palette-scrim">
          <Radix.Content className="palette" aria-describedby={undefined} {...focus}>
            <Radix.Title className="hide">{title}</Radix.Title>
            {children}
            <Button variant="icon" className="palette-close" aria-label="Close" onClick={onClose}>
              <Icon name="x" />
            </Button>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface PaletteFootProps {
  ready: PaletteIndex | undefined
  offline: boolean
  typed: string
  count: number
}

/** How many there are, for a screen reader, and how far the list can be trusted. */
export function PaletteFoot({ ready, offline, typed, count }: PaletteFootProps) {
  return (
    <div className="palette-foot">
      <span role="status">{statusText(ready, typed, count)}</span>
      {ready && offline && (
        <span>
          Without a connection: what is kept on this device
          {ready.asOf && (
            <>
              , <AsOf at={ready.asOf} />
            </>
          )}
        </span>
      )}
      {ready && !offline && ready.cut.length > 0 && <span>Long lists are searched on the server as well.</span>}
    </div>
  )
}

function statusText(ready: PaletteIndex | undefined, typed: string, count: number): string {
  if (!ready) return 'Loading'
  if (count === 0) return 'Nothing found'
  if (typed.trim() === '') return ''
  return count === 1 ? '1 result' : `${count} results`
}
