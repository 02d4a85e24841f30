import { beforeAll, beforeEach, expect, it } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import type * as troublesFile from './troubles.ts'

let state: typeof troublesFile
beforeAll(async () => {
  installBrowserGlobals()
  state = await import('./troubles.ts')
})
beforeEach(() => localStorage.clear())

const kept = () => state.troubles.items.map(({ about, code, times, told }) => [about, code, times, told])

it('counts what happens again, and begins anew once the server was told', () => {
  state.troubles.items = []
  state.noteTrouble('session', 'TIMEOUT')
  state.noteTrouble('queue', 'NETWORK')
  state.noteTrouble('session', 'TIMEOUT')
  const sent = state.unreportedTroubles()
  state.noteTrouble('queue', 'NETWORK')
  state.markTroublesReported(sent)
  expect(kept()).toEqual([
    ['session', 'TIMEOUT', 2, true],
    ['queue', 'NETWORK', 1, false],
  ])
  state.noteTrouble('session', 'TIMEOUT')
  expect(kept().at(-1)).toEqual(['session', 'TIMEOUT', 1, false])
})

it('keeps the last fifty, in storage too', () => {
  state.troubles.items = []
  for (let turn = 0; turn < 30; turn += 1) {
    state.noteTrouble('session', 'TIMEOUT')
    state.noteTrouble('session', 'NETWORK')
  }
  expect(state.troubles.items).toHaveLength(50)
  expect(JSON.parse(localStorage.getItem('troubles') ?? '[]')).toHaveLength(50)
})
