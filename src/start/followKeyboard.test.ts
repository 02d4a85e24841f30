import { expect, it, vi } from 'vitest'
import { followKeyboard } from './followKeyboard.ts'

/** A tablet whose page is 1,000 pixels high. The returned function returns the value that the style sheets get. */
function tablet() {
  const viewport = Object.assign(new EventTarget(), { height: 1000, offsetTop: 0, scale: 1 })
  const told = new Map<string, string>()
  const style = { setProperty: (name: string, value: string) => void told.set(name, value) }
  vi.stubGlobal('window', { visualViewport: viewport, document: { documentElement: { clientHeight: 1000, style } } })
  followKeyboard()
  const becomes = (seen: Partial<typeof viewport>, event = 'resize') => {
    Object.assign(viewport, seen)
    viewport.dispatchEvent(new Event(event))
    return told.get('--keyboard')
  }
  return { becomes, told }
}

it('a keyboard that covers the foot of the page is told to the style sheets, and that it has gone', () => {
  const { becomes, told } = tablet()
  expect(told.get('--keyboard')).toBe('0px')
  expect(becomes({ height: 640.4 })).toBe('360px')
  // The browser scrolls the field into view.
  expect(becomes({ offsetTop: 100 }, 'scroll')).toBe('260px')
  expect(becomes({ height: 1000, offsetTop: 0 })).toBe('0px')
})

it('a bar of the browser and a zoomed page are no keyboard', () => {
  const { becomes } = tablet()
  expect(becomes({ height: 920 })).toBe('0px')
  expect(becomes({ height: 500, scale: 2 })).toBe('0px')
})

it('a browser that says nothing of its viewport is left alone', () => {
  vi.stubGlobal('window', { document: {} })
  expect(followKeyboard).not.toThrow()
})
