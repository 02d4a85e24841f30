import { describe, expect, test } from 'vitest'
import { constant, dark, light } from '../../tailwind.config.ts'

type Token = keyof typeof light | keyof typeof constant

/** WCAG 2 relative luminance of `#rrggbb`. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [lower, higher] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (higher + 0.05) / (lower + 0.05)
}

/** Words 4.5, edges 3, words at the counter 7 (design: Contrast). */
const PAIRS: [text: Token, ground: Token, needed: number][] = [
  ['text', 'surface', 4.5],
  ['text-muted', 'surface', 4.5],
  ['text-muted', 'surface-sunken', 4.5],
  ['text-muted', 'surface-hover', 4.5],
  ['text-muted', 'surface-raised', 4.5],
  ['link', 'surface', 4.5],
  ['link', 'surface-hover', 4.5],
  ['selected-text', 'selected', 4.5],
  ['text-on-fill', 'fill', 4.5],
  ['text-on-fill', 'fill-hover', 4.5],
  ['text-on-fill', 'approve', 4.5],
  ['text-on-fill', 'reject', 4.5],
  ['badge-success-text', 'badge-success', 4.5],
  ['badge-warn-text', 'badge-warn', 4.5],
  ['badge-danger-text', 'badge-danger', 4.5],
  ['danger-text', 'danger-surface', 4.5],
  ['danger-text', 'surface-raised', 4.5],
  ['warn-text', 'warn-surface', 4.5],
  ['text', 'info-surface', 4.5],
  ['success-text', 'info-surface', 3],
  ['success-text', 'surface', 4.5],
  ['warn-text', 'surface', 4.5],
  ['text-inverse', 'surface-inverse', 4.5],
  ['border-control', 'surface', 3],
  ['border-control', 'canvas', 3],
  ['danger-control', 'surface', 3],
  ['focus', 'surface', 3],
  ['focus', 'canvas', 3],
  ['chart-now', 'surface', 3],
  ['chart-before', 'surface', 3],
  ['text', 'canvas', 7],
  ['text-muted-counter', 'surface', 7],
  ['text-muted-counter', 'canvas', 7],
  ['text-on-fill', 'fill-counter', 7],
  ['verdict-text', 'verdict-accepted', 7],
  ['verdict-text', 'verdict-held', 7],
  ['verdict-ink', 'verdict-risk', 7],
  ['verdict-ink', 'verdict-risk-hover', 7],
  ['verdict-text', 'verdict-refused', 7],
  ['verdict-text', 'verdict-unknown', 7],
]

describe.each([
  ['light', { ...light, ...constant }],
  ['dark', { ...dark, ...constant }],
])('%s theme', (_theme, tokens) => {
  test.each(PAIRS)('%s on %s reaches %d', (text, ground, needed) => {
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(needed)
  })
})
