import { Icon } from '../../../ui/Icon.tsx'

interface Props {
  disabled: boolean
  onDigit: (digit: string) => void
  onClear: () => void
  onDelete: () => void
}

export function Keypad({ disabled, onDigit, onClear, onDelete }: Props) {
  const key = (digit: string) => (
    <button key={digit} type="button" disabled={disabled} onClick={() => onDigit(digit)}>
      {digit}
    </button>
  )
  return (
    <div className="keypad">
      {[...'123456789'].map(key)}
      <button type="button" className="word" disabled={disabled} onClick={onClear}>
        Clear
      </button>
      {key('0')}
      <button type="button" aria-label="Delete last digit" disabled={disabled} onClick={onDelete}>
        <Icon name="back" />
      </button>
    </div>
  )
}
