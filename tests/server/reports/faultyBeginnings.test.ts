import { afterEach, expect, vi } from 'vitest'
import type { Db, Reading } from '../../../server/db/engine/Database.ts'
import { logIn, send, sendPost } from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  type Merchant,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const FILES = {
  'transaction report': ['/reporting/report/merchant/transaction_report', { from: '2026-11-20', to: '2026-11-21' }],
  'table export': ['/api/voucher/export', { start: 0, limit: 10 }],
} as const

/** The number of steps until one fails. */
let stepsLeft = Infinity
let failedStep: string | undefined

/** Counts a call on the way to an answer. Throws if it is the one that must fail. */
function step(name: string): void {
  stepsLeft -= 1
  if (stepsLeft !== 0) return
  failedStep = name
  throw new Error(`${name} failed`)
}

/** Returns `object` with every call of a method as a step. `parts` replaces some of its properties. */
const stepped = <T extends object>(name: string, object: T, parts: Partial<T> = {}): T =>
  new Proxy(object, {
    get(target, key) {
      const value = key in parts ? parts[key as keyof T] : (Reflect.get(target, key) as unknown)
      if (typeof value !== 'function' || key === 'close') return value
      return (...given: unknown[]) => {
        step(`${name}.${String(key)}`)
        return (value as (...all: unknown[]) => unknown).apply(target, given)
      }
    },
  })

it.each(Object.entries(FILES))(
  'RPT-07: whatever fails while a %s is begun gives everything back',
  async (_, [path, body]) => {
    const merchant = await makeMerchant(db())
    await makeRedemption(db(), await makePosUser(db(), merchant), '2026-11-20')
    const walled = server.database.forTenant(merchant.organisation.id)
    const openReading = async () => {
      const reading = await walled.openReading()
      return stepped<Reading>('reading', reading, { db: stepped<Db>('reading.db', reading.db) })
    }
    const database = stepped('database', walled, { db: stepped<Db>('db', walled.db), openReading })
    vi.spyOn(server.database, 'forTenant').mockReturnValueOnce(database)
    const { token } = await logIn(ask, merchant.main)
    const headers = { 'login-type': 'MERCHANT' }
    const read = async () => {
      const answer = await send(ask, 'POST', path, { body, token, headers })
      return answer.status === 200 ? answer.text().then(() => 'whole') : String(answer.status)
    }
    const { set } = Headers.prototype
    vi.spyOn(Headers.prototype, 'set').mockImplementation(function (this: Headers, name, value) {
      step(`header ${name}`)
      return set.call(this, name, value)
    })
    const { encodeURIComponent: encode } = globalThis
    vi.stubGlobal('encodeURIComponent', (text: string) => (step('encodeURIComponent'), encode(text)))
    for (const name of ['ReadableStream', 'Response'] as const) {
      const construct: ProxyHandler<typeof Response>['construct'] = (target, given, made) => {
        step(name)
        return Reflect.construct(target, given, made) as object
      }
      vi.stubGlobal(name, new Proxy(globalThis[name] as typeof Response, { construct }))
    }
    const failed: (string | undefined)[] = []
    let outcome = ''
    for (let nth = 1; outcome !== 'whole'; nth += 1) {
      stepsLeft = nth
      failedStep = undefined
      outcome = await read().catch((error: Error) => error.message)
      stepsLeft = Infinity
      failed.push(failedStep)
      const { reports, readings } = server.deps.queues
      await vi.waitFor(() =>
        expect([failedStep, reports.state().running, readings.state().running]).toEqual([failedStep, 0, 0]),
      )
    }
    expect(failed.pop()).toBeUndefined()
    const places = ['database.openReading', 'reading.rows', 'encodeURIComponent', 'ReadableStream']
    expect(failed).toEqual(expect.arrayContaining([...places, 'header content-disposition']))
  },
)

it('RPT-07: the place of a file that nobody takes is free when its reading was closed for that', async () => {
  const merchant = await makeMerchant(db())
  const walled = server.database.forTenant(merchant.organisation.id)
  const readings: Reading[] = []
  const openReading = async () => {
    const reading = await walled.openReading()
    readings.push(reading)
    return reading
  }
  vi.spyOn(server.database, 'forTenant').mockReturnValueOnce({ ...walled, openReading })
  const { token } = await logIn(ask, merchant.main)
  const [path, body] = FILES['table export']
  const begun: Response[] = []
  for (let nth = 1; nth <= 5; nth += 1) begun.push(await sendPost(ask, path, body, token))
  expect((await sendPost(ask, path, body, token)).status).toBe(503)
  // The pool closes it too, after a minute.
  await readings[0]!.close()
  begun.push(await sendPost(ask, path, body, token))
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  await Promise.all(begun.map((answer) => answer.body!.cancel()))
})

it('RPT-07: a branch whose name is cut in the middle of a sign gets its reports, six times', async () => {
  const merchant: Merchant = await makeMerchant(db())
  const { token } = await logIn(ask, merchant.main)
  const { organisation } = merchant
  const named = async (name: string) => (await makeBranch(db(), organisation, { name })).id
  const family = '👨‍👩‍👧‍👦'
  const names = [
    `${'A'.repeat(58)}😀${'B'.repeat(10)}`,
    `${'A'.repeat(56)}${family}${'B'.repeat(10)}`,
    'e\u0301'.repeat(40),
  ]
  const shown = [`${'A'.repeat(58)}…`, `${'A'.repeat(56)}…`, `${'e\u0301'.repeat(29)}…`]
  for (const [at, name] of names.entries()) {
    const body = { from: '2026-11-20', to: '2026-11-21', branch_guid: await named(name) }
    for (let nth = 1; nth <= 6; nth += 1) {
      const answer = await send(ask, 'POST', FILES['transaction report'][0], {
        body,
        token,
        headers: { 'login-type': 'MERCHANT' },
      })
      expect(answer.status).toBe(200)
      const filename = decodeURIComponent(answer.headers.get('content-disposition')!.split("UTF-8''")[1]!)
      expect(filename).toBe(`Transaction Report, 2026-11-20 to 2026-11-21, ${shown[at]}.csv`)
      await answer.text()
    }
  }
})
