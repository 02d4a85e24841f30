import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { nextIndex } from '../rovingKeys.ts'

export interface MenuItem {
  /** Also the key of the item, if it has no `key`. */
  label: string
  key?: string
  /** The reason why it is disabled, or its meaning. */
  hint?: ReactNode
  disabled?: boolean
  /** Makes the item one of several choices, and says if it is the chosen one. */
  chosen?: boolean
  /** The heading. Items with the same heading follow each other. */
  group?: string
  onSelect: () => void
}

interface MenuPopupProps {
  id: string
  label: string
  items: readonly MenuItem[]
  startAt: 'first' | 'last'
  anchor: RefObject<HTMLElement | null>
  onChosen: (item: MenuItem) => void
  /** Closes by key: the focus goes back to the button. */
  onDismiss: () => void
  /** Closes in any other way: the focus is already elsewhere. */
  close: () => void
}

/** A popup in the top layer, so that a scrolling table does not clip it. A browser without popovers shows it inside the table. */
export function MenuPopup({ id, label, items, startAt, anchor, onChosen, onDismiss, close }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const buttons = () => [...(popup.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

  useLayoutEffect(() => {
    const menu = popup.current
    if (!menu || !anchor.current) return
    menu.showPopover?.()
    placePopup(menu, anchor.current)
    buttons()
      .at(startAt === 'first' ? 0 : -1)
      ?.focus({ preventScroll: true })
  }, [anchor, startAt])
  useCloseOutside(popup, anchor, close)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Tab') return close()
    if (event.key === 'Escape') {
      event.stopPropagation()
      return onDismiss()
    }
    const all = buttons()
    const to = nextIndex(event.key, all.indexOf(document.activeElement as HTMLElement), all.length, 'vertical')
    if (to === undefined) return
    event.preventDefault()
    all[to]?.focus()
  }

  return (
    <div
      className="fixed inset-auto z-3 max-h-[calc(100dvh-1rem)] max-w-[calc(100vw-1rem)] min-w-[14rem] animate-rise overflow-y-auto rounded-2 border border-border bg-surface-raised p-1 text-left font-body whitespace-normal text-text [box-shadow:var(--shadow-1)]"
      role="menu"
      tabIndex={-1}
      id={id}
      aria-label={label}
      popover="manual"
      ref={popup}
      onKeyDown={onKeyDown}
    >
      {groupItems(items).map(({ name, members }, index, groups) => {
        const buttons = members.map((item) => (
          <MenuButton key={item.key ?? item.label} item={item} onClick={() => !item.disabled && onChosen(item)} />
        ))
        if (name === undefined) return buttons
        const followsGroup = groups[index - 1]?.name !== undefined
        return (
          <div
            key={name}
            className={followsGroup ? 'mt-1 border-t border-border pt-1' : undefined}
            role="group"
            aria-label={name}
          >
            <span className="block px-3 pt-2 text-xs font-label text-muted" aria-hidden="true">
              {name}
            </span>
            {buttons}
          </div>
        )
      })}
    </div>
  )
}

function groupItems(items: readonly MenuItem[]) {
  const groups: { name: string | undefined; members: MenuItem[] }[] = []
  for (const item of items) {
    const last = groups.at(-1)
    if (last && last.name === item.group) last.members.push(item)
    else groups.push({ name: item.group, members: [item] })
  }
  return groups
}

function MenuButton({ item, onClick }: { item: MenuItem; onClick: () => void }) {
  const isChosen = item.chosen
  return (
    <button
      type="button"
      className="grid min-h-control w-full content-center rounded-1 px-3 py-2 text-left hover:bg-surface-hover focus-visible:bg-surface-hover focus-visible:-outline-offset-2 aria-disabled:cursor-not-allowed aria-disabled:text-text-disabled"
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      tabIndex={-1}
      aria-disabled={item.disabled || undefined}
      onClick={onClick}
    >
      <span className={isChosen === undefined ? undefined : 'flex items-center gap-2'}>
        {isChosen !== undefined && <Tick shown={isChosen} />}
        <span>{item.label}</span>
      </span>
      {item.hint && <small className="text-xs text-muted">{item.hint}</small>}
    </button>
  )
}

/** Keeps its room while it is hidden, so that the labels are aligned. */
const Tick = ({ shown }: { shown: boolean }) => (
  <span className="w-4">{shown && <Icon drawing={ICONS.check} small />}</span>
)

/** Closes after a press elsewhere, and after a scroll or a rotation, which would leave the popup in the wrong place. */
function useCloseOutside(
  popup: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  close: () => void,
) {
  useEffect(() => {
    const unmounted = new AbortController()
    const options = { capture: true, signal: unmounted.signal }
    const closeUnlessInside = (event: Event) => {
      const isInside = [popup, anchor].some(
        ({ current }) => event.target instanceof Node && current?.contains(event.target),
      )
      if (!isInside) close()
    }
    window.addEventListener('pointerdown', closeUnlessInside, options)
    const placeAtOpening = readPlace(anchor.current)
    // A scroll that began before the press ends after it: the popup is still in the right place.
    const closeIfMoved = (event: Event) => readPlace(anchor.current) !== placeAtOpening && closeUnlessInside(event)
    window.addEventListener('scroll', closeIfMoved, options)
    window.addEventListener('resize', close, options)
    return () => unmounted.abort()
  }, [popup, anchor, close])
}

function readPlace(element: HTMLElement | null): string {
  const { x, y } = element?.getBoundingClientRect() ?? {}
  return `${x} ${y}`
}

const GAP_PX = 4

const EDGE_PX = 8

/** Places the popup below the anchor, at its right edge; above it or shifted if the window has no room. */
function placePopup(popup: HTMLElement, anchor: HTMLElement): void {
  const button = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popup
  const { clientWidth, clientHeight } = document.documentElement
  const below = button.bottom + GAP_PX
  const top = below + height <= clientHeight - EDGE_PX ? below : Math.max(EDGE_PX, button.top - GAP_PX - height)
  const wanted = button.right - width
  const left = Math.min(Math.max(EDGE_PX, wanted), clientWidth - EDGE_PX - width)
  Object.assign(popup.style, { top: `${top}px`, left: `${Math.max(EDGE_PX, left)}px` })
}
