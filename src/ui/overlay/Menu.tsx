import { useCallback, useId, useRef, useState, type ReactNode } from 'react'
import { buttonClass } from '../Button.tsx'
import { Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { MenuPopup, type MenuItem } from './MenuPopup.tsx'

interface MenuProps {
  /** The id of the menu's record. An open menu closes when it changes. */
  recordId?: string
  /** The name of the menu and of its button. */
  label: string
  /** The text of the trigger contains the name. */
  namedByTrigger?: boolean
  /** A function if there are many menus: only the open one calls it, during rendering. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  /** The content of the button; three dots if missing. */
  trigger?: ReactNode
  triggerClass?: string
}

const SQUARE = buttonClass({ variant: 'icon' })

/** One element for all menus: React skips it when a row changes. */
const DOTS = <Icon drawing={ICONS.more} />

/** A button with its popup. A disabled item shows the reason and stays reachable by keyboard. */
export function Menu({ recordId, label, namedByTrigger, items, trigger, triggerClass = SQUARE }: MenuProps) {
  const id = useId()
  const [opened, setOpened] = useState<{ recordId: string | undefined; at: 'first' | 'last' }>()
  // The menu stays closed even if the row shows that record again.
  if (opened && opened.recordId !== recordId) setOpened(undefined)
  const startAt = opened?.at
  const button = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => setOpened(undefined), [])
  const closeAndReturn = () => {
    close()
    button.current?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        className={triggerClass}
        aria-label={namedByTrigger ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={startAt !== undefined}
        aria-controls={startAt && id}
        onClick={() => (startAt ? closeAndReturn() : setOpened({ recordId, at: 'first' }))}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setOpened({ recordId, at: event.key === 'ArrowDown' ? 'first' : 'last' })
        }}
      >
        {trigger ?? DOTS}
      </button>
      {startAt && (
        <MenuPopup
          id={id}
          label={label}
          startAt={startAt}
          close={close}
          items={typeof items === 'function' ? items() : items}
          anchor={button}
          onChosen={(item) => {
            // The focus goes back first, because a dialog that the item opens returns it to this button.
            closeAndReturn()
            item.onSelect()
          }}
          onDismiss={closeAndReturn}
        />
      )}
    </>
  )
}
