import { proxy } from 'valtio/vanilla'

export const THEMES = [
  { value: 'system', label: 'As this device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
type Theme = (typeof THEMES)[number]['value']

const KEY = 'theme'

/** The theme of this device, for all its users. `src/start/boot.ts` reads the same row and applies it before the first paint. */
export const theme = proxy<{ chosen: Theme }>({ chosen: readTheme() })

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) theme.chosen = readTheme()
})

export function chooseTheme(value: string): void {
  theme.chosen = toTheme(value)
  try {
    if (theme.chosen === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme.chosen)
  } catch {
    // Without storage the choice cannot be remembered: the device's own theme applies.
    theme.chosen = 'system'
  }
  dispatchEvent(new Event('themechosen'))
}

function readTheme(): Theme {
  try {
    return toTheme(localStorage.getItem(KEY))
  } catch {
    return 'system'
  }
}

/** A function declaration, because the stored theme is read while this file is loading. */
function toTheme(stored: string | null): Theme {
  return THEMES.find(({ value }) => value === stored)?.value ?? 'system'
}
