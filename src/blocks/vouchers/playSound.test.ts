import { beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'

/** In hertz. */
let heard: number[]
let buzzes: number[][]
/** Resolves when the browser lets the page sound. */
let mayStart: Promise<void>

class FakeAudio {
  currentTime = 0
  destination = {}
  resume = () => mayStart
  createGain() {
    const gain = {
      setValueAtTime: () => undefined,
      exponentialRampToValueAtTime: () => undefined,
    }
    const node = { gain, connect: () => node, disconnect: () => undefined }
    return node
  }
  createOscillator() {
    const oscillator = {
      type: 'sine',
      frequency: { value: 0 },
      connect: () => oscillator,
      start: () => heard.push(oscillator.frequency.value),
      stop: () => undefined,
    }
    return oscillator
  }
}

/** Loads the sounds as a fresh page does. */
async function load(isHidden = false) {
  vi.resetModules()
  installBrowserGlobals()
  Object.assign(navigator, { vibrate: (buzz: number[]) => buzzes.push(buzz) })
  vi.stubGlobal('AudioContext', FakeAudio)
  vi.stubGlobal('document', { hidden: isHidden })
  return { ...(await import('./playSound.ts')), ...(await import('../../state/sounds.ts')) }
}

/** By then the sound has asked for its clock. */
const played = () => Promise.resolve()

const STATES = ['good', 'redeemed', 'risk', 'refused', 'on hold', 'unchecked', 'missed'] as const

beforeEach(() => {
  heard = []
  buzzes = []
  mayStart = Promise.resolve()
})

describe('the sounds of the counter', () => {
  it('vibrate nothing before somebody has touched the page: a browser complains of that', async () => {
    const { playSound } = await load()
    Object.assign(navigator, { userActivation: { hasBeenActive: false } })
    playSound('good')
    await played()
    expect(buzzes).toEqual([])
    expect(heard).toHaveLength(1)
    Object.assign(navigator, { userActivation: { hasBeenActive: true } })
    playSound('good')
    expect(buzzes).toHaveLength(1)
  })

  it('are all off with one switch, vibration too', async () => {
    const { playSound, changeSounds } = await load()
    changeSounds({ on: false })
    for (const state of STATES) playSound(state)
    await played()
    expect([heard, buzzes]).toEqual([[], []])
  })

  it('stay silent in a tab that nobody sees', async () => {
    const { playSound } = await load(true)
    playSound('redeemed')
    await played()
    expect([heard, buzzes]).toEqual([[], []])
  })

  it('wait for the first touch of the page, and then only that of the words on the screen is heard', async () => {
    const { playSound } = await load()
    let touch = () => undefined as void
    mayStart = new Promise((resolve) => (touch = resolve))
    const leave = playSound('refused')
    leave()
    playSound('redeemed')
    await played()
    expect(heard).toEqual([])
    touch()
    await mayStart
    expect(heard).toEqual([660, 990])
  })
})
