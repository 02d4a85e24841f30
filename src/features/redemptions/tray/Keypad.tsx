import type { ClipboardEvent, ComponentPropsWithRef } from 'react'
import { useSnapshot } from 'valtio/react'
import { showKeypad, tillDevice } from '../../../state/counter.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'

/** Puts field, keypad and button one below the other. All fit on a low tablet, and no key is smaller than 48 pixels. */
export const PAD_GRID = 'grid grid-rows-[auto_1fr_auto] content-stretch narrow:grid-rows-[auto] phone:grid-rows-none'

interface Props {
  onDigit: (digit: string) => void
  onClear: () => void
  onDelete: () => void
}

/** Shows the keypad. On a phone the cashier must ask for it, because the camera needs the room. */
export function Keypad({ onDigit, onClear, onDelete }: Props) {
  const { keypad } = useSnapshot(tillDevice)
  const key = (digit: string) => (
    <Key key={digit} onClick={() => onDigit(digit)}>
      {digit}
    </Key>
  )
  return (
    <div
      className={`grid auto-rows-[minmax(3.5rem,1fr)] grid-cols-[repeat(3,1fr)] gap-2 low:auto-rows-[minmax(3rem,1fr)] narrow:auto-rows-[3.5rem] phone:auto-rows-[3rem] ${keypad ? '' : 'phone:hidden'}`}
    >
      {[...'123456789'].map(key)}
      <Key word onClick={onClear}>
        Clear
      </Key>
      {key('0')}
      <Key aria-label="Delete last digit" onClick={onDelete}>
        <Icon drawing={ICONS.back} />
      </Key>
    </div>
  )
}

const Key = ({ word = false, ...rest }: ComponentPropsWithRef<'button'> & { word?: boolean }) => (
  <button
    type="button"
    className={`grid touch-manipulation place-items-center rounded-2 border border-border-strong bg-surface font-label active:bg-selected ${word ? 'text-base' : 'text-2xl'}`}
    {...rest}
  />
)

interface PadInputProps extends ComponentPropsWithRef<'input'> {
  /** Hides the typed digits with CSS. In a password field the browser would fill in the password, or offer to save the PIN as one. */
  isSecret?: boolean
}

/** The field that the keypad types into. A phone with a paired scanner shows no keyboard of its own, so its cashier can show the keypad. */
export function PadInput({ isSecret = false, ...props }: PadInputProps) {
  const { keypad } = useSnapshot(tillDevice)
  const preventCopy = isSecret ? (event: ClipboardEvent) => event.preventDefault() : undefined
  return (
    <span className="flex gap-2">
      <input
        className={`min-h-16 w-full min-w-0 rounded-2 border-2 border-border-control bg-surface px-4 text-[1.75rem] font-label tracking-[0.06em] aria-invalid:border-danger-control phone:min-h-[3.5rem] phone:text-2xl tiny:px-2 ${isSecret ? '[-webkit-text-security:disc]' : ''}`}
        autoComplete="off"
        inputMode={keypad ? 'none' : 'numeric'}
        spellCheck={false}
        onCopy={preventCopy}
        onCut={preventCopy}
        {...props}
      />
      <Button
        variant="icon"
        className="h-auto min-[40.0625em]:hidden"
        aria-label={keypad ? 'Hide keypad' : 'Show keypad'}
        onClick={() => showKeypad(!keypad)}
      >
        <Icon drawing={ICONS.keypad} />
      </Button>
    </span>
  )
}
