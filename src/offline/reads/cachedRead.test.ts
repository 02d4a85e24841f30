import { afterEach, expect, test, vi } from 'vitest'
import { AnswerCache } from './cachedRead.ts'

const answer = (data: string) => ({ data, asOf: new Date() })

afterEach(() => vi.useRealTimers())

test('an answer that was wanted is there for half a minute, and is asked for once', async () => {
  vi.useFakeTimers()
  const ahead = new AnswerCache<string>()
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
  const ahead = new AnswerCache<string>()
  await ahead.want('page 2', () => Promise.reject(new Error('no connection')))
  expect(ahead.young('page 2')).toBeUndefined()
  await ahead.want('page 2', () => Promise.resolve(answer('rows')))
  expect(ahead.young('page 2')?.data).toBe('rows')
})

test('after a change neither what was there counts, nor what was on its way', async () => {
  const ahead = new AnswerCache<string>()
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

test('who asks meanwhile shares the answer, and who asks anew outdates it', async () => {
  const views = new AnswerCache<string>()
  const shown: (string | undefined)[] = []
  const leave = views.subscribe(() => shown.push(views.latest('views')?.data))
  let arrive: (rows: string) => void = () => undefined
  const slow = vi.fn(
    () => new Promise<ReturnType<typeof answer>>((resolve) => (arrive = (rows) => resolve(answer(rows)))),
  )
  const opened = [views.join('views', slow), views.join('views', slow)]
  await views.ask('views', () => Promise.resolve(answer('after a change')))
  arrive('before it')
  await Promise.all(opened)
  expect(slow).toHaveBeenCalledTimes(1)
  expect(views.latest('views')?.data).toBe('after a change')
  leave()
  await views.ask('views', () => Promise.resolve(answer('unseen')))
  expect(new Set(shown)).toEqual(new Set(['after a change']))
})

test('an answer that is not young any more is still there, until another one comes', async () => {
  vi.useFakeTimers()
  const views = new AnswerCache<string>(60_000)
  await views.want('views', () => Promise.resolve(answer('kept')))
  vi.advanceTimersByTime(60_000)
  await views.want('views', () => Promise.reject(new Error('no connection')))
  expect(views.young('views')).toBeUndefined()
  expect(views.latest('views')?.data).toBe('kept')
})
