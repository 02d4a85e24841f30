import { afterEach, expect, test, vi } from 'vitest'
import { PrefetchCache } from './cachedRead.ts'

const answer = (data: string) => ({ data, asOf: new Date() })

afterEach(() => vi.useRealTimers())

test('an answer that was wanted is there for half a minute, and is asked for once', async () => {
  vi.useFakeTimers()
  const ahead = new PrefetchCache<string>()
  const load = vi.fn(() => Promise.resolve(answer('rows')))
  await Promise.all([ahead.want('page 2', load), ahead.want('page 2', load)])
  await ahead.want('page 2', load)
  expect(load).toHaveBeenCalledTimes(1)
  expect(ahead.young('page 2')?.data).toBe('rows')
  expect(ahead.young('page 3')).toBeUndefined()
  vi.advanceTimersByTime(30_000)
  expect(ahead.young('page 2')).toBeUndefined()
})

test('one that failed leaves nothing behind, and is asked for again when it is wanted again', async () => {
  const ahead = new PrefetchCache<string>()
  await ahead.want('page 2', () => Promise.reject(new Error('no line')))
  expect(ahead.young('page 2')).toBeUndefined()
  await ahead.want('page 2', () => Promise.resolve(answer('rows')))
  expect(ahead.young('page 2')?.data).toBe('rows')
})

test('after a change neither what was there counts, nor what was on its way', async () => {
  const ahead = new PrefetchCache<string>()
  await ahead.want('page 2', () => Promise.resolve(answer('before')))
  let arrive: (rows: string) => void = () => undefined
  const late = ahead.want('page 3', (signal) => {
    expect(signal.aborted).toBe(false)
    return new Promise((resolve) => {
      arrive = (rows) => resolve(answer(rows))
    })
  })
  ahead.forget()
  arrive('before')
  await late
  expect(ahead.young('page 2')).toBeUndefined()
  expect(ahead.young('page 3')).toBeUndefined()
  await ahead.want('page 3', () => Promise.resolve(answer('after')))
  expect(ahead.young('page 3')?.data).toBe('after')
})
