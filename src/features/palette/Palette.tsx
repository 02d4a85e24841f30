import * as Radix from '@radix-ui/react-dialog'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import type { PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { closePalette, palette } from '../../state/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Scrim, useReturnFocus } from '../../ui/overlay/Dialog.tsx'
import { useRootClass } from '../../ui/useRootClass.ts'
import { itemFinder } from './findItems.ts'
import { commandItems, noMatchItems, recordItems, visibleLists, type Item } from './paletteItems.ts'
import { withoutPeriod } from './question.ts'
import { serverDay, useAnswers } from './useAnswers.ts'

interface Props {
  user: User
  permissions: PermissionMap
}

/** Finds pages, commands, views and records by a few letters. A press outside closes the palette, as no input can be lost. */
export function Palette(props: Props) {
  const input = useRef<HTMLInputElement>(null)
  const focus = useReturnFocus(() => input.current)
  useRootClass('has-dialog')
  return (
    <Radix.Root open onOpenChange={(open) => !open && closePalette()}>
      <Radix.Portal>
        <Scrim look="top">
          <Radix.Content
            className="relative grid h-[min(32rem,76dvh-var(--keyboard,0px))] w-[min(40rem,100%)] grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-3 border border-border bg-surface-raised outline-none [box-shadow:var(--shadow-2)] phone:h-[calc(100dvh-1rem-var(--keyboard,0px))]"
            aria-describedby={undefined}
            {...focus}
          >
            <Radix.Title className="sr-only">Search or run a command</Radix.Title>
            <Combobox {...props} input={input} />
            <Button
              variant="icon"
              className="absolute top-[calc((3.5rem-var(--control))/2)] right-2"
              aria-label="Close"
              onClick={closePalette}
            >
              <Icon drawing={ICONS.x} />
            </Button>
          </Radix.Content>
        </Scrim>
      </Radix.Portal>
    </Radix.Root>
  )
}

const ARROW_STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function Combobox({ user, permissions, input }: Props & { input: RefObject<HTMLInputElement | null> }) {
  const items = usePaletteItems(user, permissions)
  const [typed, setTyped] = useState(palette.typedAhead)
  // By its id, because an answer of the server adds items above others.
  const [chosen, setChosen] = useState<string>()
  const { answers, said } = useAnswers({ typed, items, user, permissions })
  const find = useMemo(() => itemFinder(items), [items])
  const named = useMemo(() => {
    const whole = find(typed)
    const rest = whole.length > 0 ? '' : withoutPeriod(typed, serverDay())
    return rest === '' ? whole : find(rest)
  }, [find, typed])
  const isNothing = answers.length + named.length === 0
  const found = isNothing ? noMatchItems(typed, user, permissions) : [...answers, ...named]
  const chosenIndex = found.findIndex(({ id }) => id === chosen)
  const active = Math.max(0, chosenIndex)
  const run = useRunItem()
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const step = ARROW_STEPS[event.key]
    if (event.key !== 'Enter' && (step === undefined || found.length === 0)) return
    event.preventDefault()
    if (step !== undefined) setChosen(found[(active + step + found.length) % found.length]!.id)
    else if (found[active]) run(found[active])
  }
  return (
    <>
      {/* The whole field gets the focus ring. */}
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
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={optionId(active)}
          placeholder="Page, branch, POS user, voucher …"
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <Results found={found} active={active} onChoose={run} />
      <p
        className="flex min-h-[2.25rem] items-center border-t border-border px-4 py-1 text-sm text-muted"
        role="status"
      >
        <span>{isNothing ? 'Nothing found. Try another word, or one of these.' : statusText(typed, found.length)}</span>
        <span className="sr-only">{said}</span>
      </p>
    </>
  )
}

function statusText(typed: string, count: number): string {
  if (typed.trim() === '') return 'Type a few letters. Arrow keys choose, Enter opens.'
  return count === 1 ? '1 result' : `${count} results`
}

/** Returns the commands at once, then the records that are stored on this device, then the server's newer records. */
function usePaletteItems(user: User, permissions: PermissionMap): readonly Item[] {
  const isOffline = useOffline()
  const records = useLiveQuery(() => recordItems(user, permissions), user.guid)
  useEffect(() => {
    if (isOffline) return
    // If a list cannot be read, the stored list stays.
    for (const key of visibleLists(user, permissions)) refreshReferenceList(user.guid, key).catch(() => undefined)
  }, [user, permissions, isOffline])
  return useMemo(
    () => [...commandItems(user, permissions, isOffline), ...(records ?? [])],
    [user, permissions, isOffline, records],
  )
}

/** Closes the palette, then runs the item. A dialog that the item opens later returns the focus to the page. */
function useRunItem(): (item: Item) => void {
  const router = useRouter()
  useEffect(
    () =>
      // A scanner, or Back on a phone, can leave the page while the palette is open.
      router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
        if (hrefChanged) closePalette()
      }),
    [router],
  )
  return ({ go, needs }) => {
    if (needs) return
    flushSync(closePalette)
    if (typeof go === 'function') go()
    // The router's types want one known route; the items lead to many.
    else void router.navigate(go as never)
  }
}

const optionId = (index: number) => `palette-option-${index}`

interface ResultsProps {
  found: readonly Item[]
  active: number
  onChoose: (item: Item) => void
}

function Results({ found, active, onChoose }: ResultsProps) {
  useEffect(() => {
    // In braces, because newer browsers return a promise here. React would take it for a cleanup function.
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active, found])
  return (
    <div
      className="overflow-y-auto overscroll-contain p-2"
      role="listbox"
      id="palette-list"
      aria-label="Results"
      tabIndex={-1}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.map((item, index) => (
        <Option
          key={item.id}
          item={item}
          id={optionId(index)}
          isActive={index === active}
          onChoose={() => onChoose(item)}
        />
      ))}
    </div>
  )
}

interface OptionProps {
  item: Item
  id: string
  isActive: boolean
  onChoose: () => void
}

function Option({ item: { label, detail, answer, icon, needs }, id, isActive, onChoose }: OptionProps) {
  const mutedClass = isActive ? '' : 'text-muted'
  const look = isActive ? 'bg-selected [box-shadow:inset_3px_0_0_var(--focus)]' : 'hover:bg-surface-hover'
  const enabledClass = needs
    ? 'cursor-not-allowed text-text-disabled'
    : `cursor-pointer ${isActive ? 'text-selected-text' : ''}`
  return (
    // The search field handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className={`flex min-h-control items-center gap-3 rounded-1 px-2 py-1 ${look} ${enabledClass}`}
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={needs ? true : undefined}
      onClick={onChoose}
    >
      <span className={mutedClass}>
        <Icon drawing={icon} />
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span>{label}</span>
        {answer !== undefined && <small className={`block text-sm ${mutedClass}`}>{answer}</small>}
      </span>
      {/* The detail becomes narrower before the label does, but never disappears. */}
      <small
        className={`ml-auto max-w-[50%] min-w-[4.75rem] flex-[0_1000_auto] truncate text-right text-sm ${mutedClass}`}
      >
        {needs ?? detail}
      </small>
    </div>
  )
}
