import * as Radix from '@radix-ui/react-dialog'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { AsOf } from '../../blocks/cached/AsOf.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { closePalette, palette } from '../../state/palette.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Scrim, useReturnFocus } from '../../ui/overlay/Dialog.tsx'
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

/** Finds screens, records and actions by a few letters: a combobox over a list, in a dialog. */
export function Palette(props: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <PaletteDialog title="Search or run a command" initialFocus={input} onClose={closePalette}>
      <Combobox {...props} input={input} />
    </PaletteDialog>
  )
}

/** A component of its own, so that a key redraws the list and not the dialog. */
function Combobox({ user, permissions, input }: Props & { input: RefObject<HTMLInputElement | null> }) {
  const offline = useOffline()
  const ready = usePaletteIndex(user, permissions, offline)
  const [typed, setTyped] = useState(palette.typedAhead)
  const [chosen, setChosen] = useState(0)
  const fromServer = useServerItems(user, typed, offline ? NONE : (ready?.cut ?? NONE))
  const found = foundItems(ready, typed, fromServer)
  // By place in the list: items from the server are added at the end, so Enter opens the one that was chosen.
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
      {/* The whole field is the ring's place. */}
      <div className="flex min-h-[3.5rem] items-center gap-3 border-b border-border pr-[3.5rem] pl-4 focus-within:[box-shadow:inset_0_-2px_0_var(--focus)]">
        <span className="text-muted">
          <Icon drawing={ICONS.search} />
        </span>
        <input
          className="min-h-[3.5rem] min-w-0 flex-1 text-base outline-none placeholder:text-muted"
          ref={input}
          role="combobox"
          aria-label="Search or run a command"
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

/** Closes the palette, then goes there or does it. Whatever it opens returns the focus to where it was before the palette. */
function useRun(user: User): (item: Item) => void {
  const router = useRouter()
  useEffect(
    () =>
      // A scanner, or Back on a phone, can leave the page while the palette is open.
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
    // The router's types want one known route; the items lead to many.
    else void router.navigate(go as never)
  }
}

interface PaletteDialogProps {
  title: string
  initialFocus: RefObject<HTMLElement | null>
  onClose: () => void
  children: Elements
}

/** A dialog that is a list: near the top and of one height. A press beside it closes it, since nothing can be lost. */
function PaletteDialog({ title, initialFocus, onClose, children }: PaletteDialogProps) {
  const focus = useReturnFocus(() => initialFocus.current)
  useRootClass('has-dialog')
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Scrim look="top">
          <Radix.Content
            className="relative grid h-[min(32rem,76dvh-var(--keyboard,0px))] w-[min(40rem,100%)] grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-3 border border-border bg-surface-raised outline-none [box-shadow:var(--shadow-2)] [contain:layout_paint] phone:h-[calc(100dvh-1rem-var(--keyboard,0px))]"
            aria-describedby={undefined}
            {...focus}
          >
            <Radix.Title className="sr-only">{title}</Radix.Title>
            {children}
            <Button
              variant="icon"
              className="absolute top-[calc((3.5rem-var(--control))/2)] right-2"
              aria-label="Close"
              onClick={onClose}
            >
              <Icon drawing={ICONS.x} />
            </Button>
          </Radix.Content>
        </Scrim>
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

/** The number of results, for screen readers, and whether they are stored ones. */
function PaletteFoot({ ready, offline, typed, count }: PaletteFootProps) {
  return (
    <div className="flex min-h-[2.25rem] flex-wrap items-center justify-between gap-x-4 border-t border-border px-4 py-1 text-sm leading-[inherit] text-muted">
      <span role="status">{statusText(ready, typed, count)}</span>
      {typed.trim() === '' && <Keys />}
      {ready && offline && (
        <span>
          Without a connection: what is kept on this device
          {ready.asOf && (
            <span>
              , <AsOf at={ready.asOf} />
            </span>
          )}
        </span>
      )}
      {ready && !offline && ready.cut.length > 0 && <span>Long lists are searched on the server as well.</span>}
    </div>
  )
}

/** What the keyboard does here; on a phone there is none. */
const Keys = () => (
  <span className="flex flex-wrap gap-x-4 phone:hidden">
    {KEYS.map(([keys, words]) => (
      <span key={words} className="flex items-center gap-1">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        <span>{words}</span>
      </span>
    ))}
  </span>
)

const KEYS: [keys: string[], words: string][] = [
  [['↑', '↓'], 'choose'],
  [['Enter'], 'open'],
  [['Esc'], 'close'],
  [['?'], 'all shortcuts, when this is closed'],
]

function statusText(ready: PaletteIndex | undefined, typed: string, count: number): string {
  if (!ready) return 'Loading'
  if (count === 0) return 'Nothing found'
  if (typed.trim() === '') return ''
  return count === 1 ? '1 result' : `${count} results`
}
