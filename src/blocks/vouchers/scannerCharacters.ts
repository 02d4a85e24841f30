/** One character that a scanner typed, in three readings, because scanner and device may have different keyboard languages. */
export interface Character {
  /** The reading in the device's own keyboard language. */
  key: string
  /** The character of this key on an American keyboard, which is the factory setting of scanners. */
  us: string
  /** The digit on this key, with or without Shift: French keyboards need Shift for digits. */
  digits: string
}

export type CharacterKey = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'ScrollLock', 'Fn'])

/** True for a key that only changes other keys. */
export const isModifier = (key: string): boolean => MODIFIERS.has(key)

/**
 * Returns the character that a key types; `undefined` if it types none. Keys of the numeric pad always count as digits, although the browser reports
 * names for them while Num Lock is off.
 */
export function readCharacter(event: CharacterKey): Character | undefined {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = event
  // Ctrl with Alt is AltGr, which types a character.
  if (metaKey || (ctrlKey !== altKey && ctrlKey)) return undefined
  const typed = [...key].length === 1 ? key : ''
  const padDigit = /^Numpad(\d)$/.exec(code)?.[1]
  // `Dead` is an accent that waits for its letter. Many European keyboards have one where a scanner types the `]` of an AIM identifier.
  if (typed === '' && padDigit === undefined && key !== 'Dead') return undefined
  const us = usCharacter(code, shiftKey)
  return {
    key: typed || padDigit || '',
    us: us ?? typed,
    digits: /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? typed,
  }
}

/** Returns the readings of some characters, the device's own first. */
export const textsOf = (characters: readonly Character[]): string[] => [
  characters.map(({ key }) => key).join(''),
  characters.map(({ us }) => us).join(''),
  characters.map(({ digits }) => digits).join(''),
]

/** The characters of each key that is not a letter on an American keyboard: without and with Shift. */
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

function usCharacter(code: string, shift: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return shift ? letter : letter.toLowerCase()
  const pad = /^Numpad(\d)$/.exec(code)?.[1]
  return pad ?? US_KEYS[code]?.[shift ? 1 : 0]
}
