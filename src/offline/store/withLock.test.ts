import { beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import { withFreeLock, withLock } from './withLock.ts'

beforeEach(() => installBrowserGlobals())

describe('work under a Web Lock', () => {
  it('waits for its turn, and knows that it is alone', async () => {
    const log: string[] = []
    const step = (name: string) => async (locked: boolean) => {
      log.push(`${name} begins ${locked}`)
      await Promise.resolve()
      log.push(`${name} ends`)
      return name
    }
    expect(await Promise.all([withLock('turn', step('first')), withLock('turn', step('second'))])).toEqual([
      'first',
      'second',
    ])
    expect(log).toEqual(['first begins true', 'first ends', 'second begins true', 'second ends'])
  })

  it('is left undone by who only works when the lock is free', async () => {
    const work = vi.fn(async () => 'done')
    await withLock('busy', async () => expect(await withFreeLock('busy', work)).toBeUndefined())
    expect(work).not.toHaveBeenCalled()
    expect(await withFreeLock('busy', work)).toBe('done')
  })

  it('is done all the same where the browser has no locks, and knows that it may not be alone', async () => {
    Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
    const work = vi.fn(async (locked: boolean) => locked)
    expect([await withLock('none', work), await withFreeLock('none', work)]).toEqual([false, false])
  })
})
