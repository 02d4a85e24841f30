import { expect, it } from 'vitest'
import { constant, dark, light } from '../tailwind.config.ts'

const THEMES = { light: { ...light, ...constant }, dark: { ...dark, ...constant } }
type Token = keyof (typeof THEMES)['light']

/** The least ratio that WCAG 2.2 AA asks of text, and of the edges of a control. */
const [TEXT, EDGE] = [4.5, 3]
/** At a counter people read from further away, and in the sun. */
const COUNTER = 7

const PAIRS: [ink: Token, ground: Token, least: number][] = [
  ['text', 'surface', TEXT],
  ['text-muted', 'surface', TEXT],
  ['text-muted', 'surface-hover', TEXT],
  ['link', 'surface-hover', TEXT],
  ['text-on-fill', 'fill-hover', TEXT],
  ['border-control', 'canvas', EDGE],
  ['focus', 'canvas', EDGE],
  ['text-muted-counter', 'surface', COUNTER],
  ['verdict-text', 'verdict-redeemed', COUNTER],
  ['verdict-text', 'verdict-refused', COUNTER],
  ['verdict-text', 'verdict-unknown', COUNTER],
  ['verdict-ink', 'verdict-risk', COUNTER],
  ['stub-text', 'stub-surface', TEXT],
  ['text', 'stub-surface', COUNTER],
  ['text-muted', 'stub-surface', TEXT],
  ['text-muted-counter', 'stub-surface', COUNTER],
  ['link', 'stub-surface', TEXT],
  ['verdict-ink', 'stub', COUNTER],
  ['mark', 'stub', EDGE],
  ['mark', 'mark-body', EDGE],
]

for (const [name, tokens] of Object.entries(THEMES)) {
  it.each(PAIRS)(`in the ${name} theme %s stands out from %s at least %d times`, (ink, ground, least) => {
    expect(contrast(tokens[ink]!, tokens[ground]!)).toBeGreaterThanOrEqual(least)
  })
}

/** The contrast ratio of two colours like `#1a4a9c` (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255)) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Rgb = [red: number, green: number, blue: number]

const linear = (share: number) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
