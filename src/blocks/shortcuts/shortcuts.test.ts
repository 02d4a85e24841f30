import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ShortcutKeys } from './shortcuts.ts'

let ran: string[]
let screen: { on: boolean; busy: boolean; covered: boolean }
let keys: ShortcutKeys
let now: number
beforeEach(() => {
  vi.useFakeTimers()
  ran = []
  now = 1_000
  screen = { on: true, busy: false, covered: false }
  const shortcut = (of: string) => ({ keys: of, label: of, group: 'Everywhere' as const, run: () => void ran.push(of) })
  const all = ['Mod+k', '?', '/', 'n', 'g b', 'g n'].map(shortcut)
  keys = new ShortcutKeys({
    shortcuts: () => all,
    areSingleKeysOn: () => screen.on,
    isBusy: () => screen.busy,
    isCovered: () => screen.covered,
  })
})
afterEach(() => vi.useRealTimers())

function press(key: string, after = 300, given: Partial<KeyboardEvent> = {}) {
  vi.advanceTimersByTime(after)
  now += after
  const event = {
    key,
    timeStamp: now,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    repeat: false,
    isComposing: false,
    defaultPrevented: false,
    preventDefault: vi.fn<() => void>(),
    ...given,
  }
  keys.press(event)
  return event
}
const settle = () => vi.advanceTimersByTime(1_000)

describe('shortcuts', () => {
  it('of one key and of two run once each', () => {
    press('n')
    press('?')
    press('g')
    press('b')
    press('g')
    press('n')
    settle()
    expect(ran).toEqual(['n', '?', 'g b', 'g n'])
  })

  it('with Command or Control run at once, even while typing, but not under a dialog or with Alt', () => {
    screen.busy = true
    expect(press('k', 300, { metaKey: true }).preventDefault).toHaveBeenCalledOnce()
    press('K', 300, { ctrlKey: true })
    expect(ran).toEqual(['Mod+k', 'Mod+k'])
    press('k', 300, { ctrlKey: true, altKey: true })
    screen.covered = true
    expect(press('k', 300, { ctrlKey: true }).preventDefault).not.toHaveBeenCalled()
    expect(ran).toEqual(['Mod+k', 'Mod+k'])
  })

  it.each([
    ['busy' as const, true],
    ['on' as const, false],
  ])('of one key rest while %s is %s', (which, value) => {
    screen[which] = value
    expect(press('n').preventDefault).not.toHaveBeenCalled()
    settle()
    expect(ran).toEqual([])
  })

  it('leave a scanner alone, whatever its code begins and ends with', () => {
    for (const [at, key] of [...'n290000000001?'].entries()) press(key, at === 0 ? 300 : 12)
    press('Enter', 12)
    settle()
    expect(ran).toEqual([])
    for (const key of 'gb') press(key, 12)
    settle()
    expect(ran).toEqual([])
  })

  it('of two keys end when the second is long in coming, is another, or is held down', () => {
    press('g')
    press('b', 5_000)
    press('g')
    press('x')
    press('b')
    press('g')
    press('b', 300, { repeat: true })
    settle()
    expect(ran).toEqual([])
  })

  it('leave Control with other keys, and what somebody else has taken, alone', () => {
    expect(press('f', 300, { ctrlKey: true }).preventDefault).not.toHaveBeenCalled()
    press('n', 300, { defaultPrevented: true })
    press('n', 300, { altKey: true })
    press('n', 300, { isComposing: true })
    settle()
    expect(ran).toEqual([])
  })
})
