import { describe, expect, it } from 'vitest'
import { ItemIndex, type Searchable } from './ItemIndex.ts'

const NAMES = [
  'New branch',
  'Branches',
  'Toa Payoh Kiosk',
  'Kallang Wave',
  'Café Étoile',
  'Tampines Central',
  'Bukit Batok (West)',
  '友誼分店',
  'நியூ பிராஞ்ச்',
  'Straße 7',
]

const indexOf = (items: readonly Searchable[]) => ItemIndex.of(items, () => Promise.resolve())
const find = async (typed: string, names: readonly string[] = NAMES) => {
  const index = await indexOf(names.map((label) => ({ label })))
  return index.search(typed, 50).map(({ item }) => item.label)
}
/** What is marked, between brackets. */
async function marked(typed: string, label: string) {
  const [found] = (await indexOf([{ label }])).search(typed, 1)
  let text = ''
  let from = 0
  for (const [start, end] of found?.ranges ?? []) {
    text += `${label.slice(from, start)}[${label.slice(start, end)}]`
    from = end
  }
  return text + label.slice(from)
}

describe('what is typed finds', () => {
  it.each([
    ['nb', 'New branch'],
    ['tk', 'Toa Payoh Kiosk'],
    ['tpk', 'Toa Payoh Kiosk'],
    ['kalang', 'Kallang Wave'],
    ['kallnag', 'Kallang Wave'],
    ['kxllang', 'Kallang Wave'],
    ['kalllang', 'Kallang Wave'],
    ['KIOSK', 'Toa Payoh Kiosk'],
    ['kiosk toa', 'Toa Payoh Kiosk'],
    ['cafe etoile', 'Café Étoile'],
    ['CAFÉ', 'Café Étoile'],
    ['cafe\u0301', 'Café Étoile'],
    ['batok west', 'Bukit Batok (West)'],
    ['分店', '友誼分店'],
    ['  tampines   ', 'Tampines Central'],
    ['bw', 'Bukit Batok (West)'],
  ])('%s → %s', async (typed, name) => {
    expect((await find(typed))[0]).toBe(name)
  })

  it('what begins so before first letters, words, parts of words and wrong letters', async () => {
    const names = ['Old sunday', 'Mixsun', 'Sun', 'Sum market', 'Some unusual name', 'My sun']
    expect(await find('sun', names)).toEqual(['Sun', 'Some unusual name', 'Old sunday', 'My sun', 'Mixsun'])
    expect(await find('markat', names)).toEqual(['Sum market'])
  })

  it('for one letter only words that begin with it', async () => {
    expect(await find('k')).toEqual(['Kallang Wave', 'Toa Payoh Kiosk'])
  })

  it('in the order given where two match alike', async () => {
    expect(await find('shop', ['Shop 2', 'Shop 1'])).toEqual(['Shop 2', 'Shop 1'])
  })

  it('by detail and keywords as well', async () => {
    const items = [
      { label: 'cashier-1', detail: 'Kallang Wave' },
      { label: '2900 0000', keywords: '29000000' },
    ]
    const index = await indexOf(items)
    expect(index.search('kallang', 5)).toEqual([{ item: items[0], ranges: [] }])
    expect(index.search('29000000', 5).map(({ item }) => item)).toEqual([items[1]])
  })
})

describe('hostile needles', () => {
  it.each(['(', ')', '[a', '\\', '.*', '^', '$', '+', '?', '|', '"', "'", '-', '💥', '👩‍👩‍👧', '\u0000', '   ', ''])(
    '%j finds nothing and breaks nothing',
    async (typed) => {
      expect(await find(typed)).toEqual([])
    },
  )

  it('a thousand characters, a lone surrogate and a regular expression', async () => {
    expect(await find('x'.repeat(1_000))).toEqual([])
    expect(await find('a '.repeat(500))).toEqual([])
    expect(await find('\ud800')).toEqual([])
    expect(await find('kallang.*')).toEqual(['Kallang Wave'])
  })

  it('names of emoji and of nothing are indexed', async () => {
    expect(await find('shop', ['', '🏪 Shop', '🏪'])).toEqual(['🏪 Shop'])
  })
})

describe('what matched is marked', () => {
  it.each([
    ['nb', 'New branch', '[N]ew [b]ranch'],
    ['tk', 'Toa Payoh Kiosk', '[T]oa Payoh [K]iosk'],
    ['payoh', 'Toa Payoh Kiosk', 'Toa [Payoh] Kiosk'],
    ['kiosk toa', 'Toa Payoh Kiosk', '[Toa] Payoh [Kiosk]'],
    ['etoile', 'Café Étoile', 'Café [Étoile]'],
    ['shop', '🏪 Shop', '🏪 [Shop]'],
    ['hop', 'Shop', 'S[hop]'],
  ])('%s in %s', async (typed, label, expected) => {
    expect(await marked(typed, label)).toBe(expected)
  })

  it('around the wrong letter', async () => {
    expect(await marked('kalang', 'Kallang Wave')).toMatch(/^\[Kal/)
  })
})
