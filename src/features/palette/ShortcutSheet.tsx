import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { keyLabels, shortcutsNow, type Shortcut } from '../../blocks/shortcuts/shortcuts.ts'
import type { User } from '../../contract/accounts/user.ts'
import { closePalette, singleKeys, switchSingleKeys } from '../../state/palette.ts'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/form/CheckboxField.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'

const GROUPS = ['Everywhere', 'On this page', 'Go to'] as const

/** The shortcuts that are registered now. */
export function ShortcutSheet({ user }: { user: User }) {
  const [all] = useState(shortcutsNow)
  const isOn = !useSnapshot(singleKeys).off.includes(user.guid)
  return (
    <Dialog
      open
      holdsForm
      title="Keyboard shortcuts"
      onClose={closePalette}
      actions={<Button onClick={closePalette}>Close</Button>}
    >
      {GROUPS.map((group) => (
        <Group key={group} name={group} shortcuts={all.filter((one) => one.group === group)} />
      ))}
      <CheckboxField
        className="mt-4"
        label="Single-key shortcuts"
        hint="Only for you, on this device. When off, only Ctrl/⌘ shortcuts work."
        value={isOn}
        onChange={(on) => switchSingleKeys(user.guid, on)}
      />
    </Dialog>
  )
}

function Group({ name, shortcuts }: { name: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null
  return (
    <section className="not-first:mt-4" aria-label={name}>
      <h3 className="mb-1 text-sm text-muted">{name}</h3>
      <dl>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className="flex min-h-[1.75rem] items-center justify-between">
            <dt>{label}</dt>
            <dd>
              {keyLabels(keys).map((key, at) => (
                <span key={key}>
                  {at > 0 && <small> then </small>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
