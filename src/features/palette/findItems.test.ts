import { expect, it } from 'vitest'
import { itemFinder } from './findItems.ts'
import type { Item } from './paletteItems.ts'

const NAMES = [
  'Create branch',
  'Branches',
  'Toa Payoh Kiosk',
  'Kallang Wave',
  'Café Étoile',
  'Bukit Batok (West)',
  '友誼分店',
  'நியூ பிராஞ்ச்',
]

const items = NAMES.map((label): Item => ({
  id: label,
  label,
  detail: 'Branch',
  icon: {} as Item['icon'],
  go: { to: '/' },
}))
const withWords = [...items, { ...items[0]!, id: 'void', label: 'Voided' }]

const findItems = itemFinder(withWords)

const find = (typed: string) => findItems(typed).map(({ label }) => label)

it.each([
  ['kalang', 'Kallang Wave'],
  ['kallnag', 'Kallang Wave'],
  ['KIOSK', 'Toa Payoh Kiosk'],
  ['kiosk toa', 'Toa Payoh Kiosk'],
  ['cafe etoile', 'Café Étoile'],
  ['batok west', 'Bukit Batok (West)'],
  ['分店', '友誼分店'],
  ['refund', 'Voided'],
  ['  wave  ', 'Kallang Wave'],
])('%s finds %s first', (typed, label) => {
  expect(find(typed)[0]).toBe(label)
})

it.each([
  '(',
  ')',
  '[a',
  '\\',
  '.*',
  '^',
  '$',
  '+',
  '?',
  '|',
  '"',
  "'",
  '-',
  '💥',
  '\ud800',
  'x'.repeat(1_000),
  'a '.repeat(500),
])('%j breaks nothing, and ends at once', (typed) => {
  const started = performance.now()
  expect(() => find(typed)).not.toThrow()
  expect(performance.now() - started).toBeLessThan(1_000)
})

it('with nothing typed the first ones come as they are', () => {
  expect(find('')).toEqual([...NAMES, 'Voided'])
})
