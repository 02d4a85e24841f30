import { beforeEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'

const NOON = Date.parse('2026-11-26T12:00:00+08:00')

const openTab = async () => {
  vi.resetModules()
  return import('./connectionDiary.ts')
}
const online = (from: number, to: number) => ({ from: NOON + from, to: NOON + to, verdict: 'online' as const })

beforeEach(() => installBrowserGlobals())

it('is there in the next tab, which counts no second of the first one’s again', async () => {
  const first = await openTab()
  first.noteInDiary(online(0, 30_000))
  const second = await openTab()
  expect(second.connectionDiary.days).toEqual(first.connectionDiary.days)
  second.noteInDiary(online(10_000, 40_000))
  first.noteInDiary(online(30_000, 60_000))
  expect(first.connectionDiary.days.map(({ seconds }) => seconds.online)).toEqual([60])
})

it.each(['{', '[]', '{"days":[{"day":"2026-11-26","strip":"o"}],"until":1}'])(
  'begins anew where what is stored is broken: %s',
  async (broken) => {
    localStorage.setItem('connection-diary', broken)
    const { connectionDiary, noteInDiary } = await openTab()
    expect(connectionDiary.days).toEqual([])
    noteInDiary(online(0, 30_000))
    expect((await openTab()).connectionDiary.days).toHaveLength(1)
  },
)

it('goes on in the page where the browser stores nothing', async () => {
  Object.assign(localStorage, {
    getItem: () => null,
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  })
  const { connectionDiary, noteInDiary } = await openTab()
  noteInDiary(online(0, 30_000))
  noteInDiary(online(30_000, 60_000))
  expect(connectionDiary.days[0]!.seconds.online).toBe(60)
})
