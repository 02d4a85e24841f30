/** One sign of a code, read in three ways: a scanner that types does not know the device's keyboard language. */
export interface Sign {
  /** The device's own reading. */
  key: string
  /** By the place of the key, on the American keyboard that scanners start with. */
  us: string
  /** A digit by the place of its key, with or without Shift: French keyboards need Shift for digits. */
  digits: string
}

export type SignKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'ScrollLock', 'Fn'])

/** True for a key that only changes other keys. */
export const isModifier = (key: string): boolean => MODIFIERS.has(key)

/** Returns the sign that a key types; `undefined` if it types none. With Num Lock off, the keys of the numeric pad have names instead of digits. */
export function readSign(event: SignKey): Sign | undefined {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event
  // Ctrl with Alt is AltGr, which types.
  if (metaKey || (ctrlKey !== altKey && ctrlKey)) return undefined
  const typed = [...key].length === 1 ? key : ''
  const padDigit = /^Numpad(\d)$/.exec(code)?.[1]
  // An accent waits for its letter: it is AIM's bracket on many European keyboards.
  if (typed === '' && padDigit === undefined && key !== 'Dead') return undefined
  const us = usSign(code, shiftKey)
  return {
    key: typed || padDigit || '',
    us: us ?? typed,
    digits: /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? typed,
  }
}

/** Returns the readings of some signs, the device's own first. */
export const textsOf = (signs: readonly Sign[]): string[] => [
  signs.map(({ key }) => key).join(''),
  signs.map(({ us }) => us).join(''),
  signs.map(({ digits }) => digits).join(''),
]

/** Each key of an American keyboard that is not a letter: plain, and with Shift. */
const US_KEYS: Record<string, string> = {
  Digit1: '1!',
  Digit2: '2@',
  Digit3: '3#',
  Digit4: '4$',
  Digit5: '5%',
  Digit6: '6^',
  Digit7: '7&',
  Digit8: '8*',
  Digit9: '9(',
  Digit0: '0)',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: `'"`,
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  NumpadDecimal: '..',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//',
}

function usSign(code: string, shift: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return shift ? letter : letter.toLowerCase()
  const pad = /^Numpad(\d)$/.exec(code)?.[1]
  return pad ?? US_KEYS[code]?.[shift ? 1 : 0]
}
