import { afterEach, expect, vi } from 'vitest'
import type { Database, Db, Reading } from '../../../server/db/engine/Database.ts'
import { sendPost, signIn } from '../../support/api/portalClient.ts'
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

/** Everything that is called on the way to an answer, for one of these calls to fail. */
class Steps {
  #left = Infinity
  #taken: string[] = []

  /** Of the calls from now on the `nth` fails. */
  failAt(nth: number): void {
    this.#left = nth
    this.#taken = []
  }

  /** Which step failed; undefined when there were not so many. */
  failed(): string | undefined {
    return this.#left <= 0 ? this.#taken.at(-1) : undefined
  }

  take(name: string): void {
    if (this.#left <= 0) return
    this.#left -= 1
    this.#taken.push(name)
    if (this.#left === 0) throw new Error(`${name} failed`)
  }

  /** `object`, of which each call of a method is a step. */
  of<T extends object>(name: string, object: T, given: Partial<T> = {}): T {
    return new Proxy(object, {
      get: (target, key) => {
        const value = key in given ? given[key as keyof T] : (Reflect.get(target, key) as unknown)
        if (typeof value !== 'function' || key === 'close') return value
        return (...values: unknown[]) => {
          this.take(`${name}.${String(key)}`)
          return (value as (...all: unknown[]) => unknown).apply(target, values)
        }
      },
    })
  }

  database(database: Database): Database {
    const openReading = async (purpose: 'report' | 'export') => {
      const reading = await database.openReading(purpose)
      return this.of<Reading>('reading', reading, { db: this.of<Db>('reading.db', reading.db) })
    }
    return this.of('database', database, { db: this.of<Db>('db', database.db), openReading })
  }

  /** What the server calls that is neither its database nor handed to it. */
  ofTheRest(): void {
    this.#spyOn('log', server.log, 'info')
    this.#spyOn('metrics', server.deps.metrics, 'requestAnswered')
    this.#spyOn('headers', Headers.prototype, 'set')
    vi.stubGlobal('encodeURIComponent', (text: string) => {
      this.take('encodeURIComponent')
      return encodeURI(text)
    })
    vi.stubGlobal('ReadableStream', this.#constructed('ReadableStream', ReadableStream))
    vi.stubGlobal('Response', this.#constructed('Response', Response))
  }

  #spyOn<T extends object, K extends keyof T>(name: string, object: T, key: K): void {
    const original = object[key] as (...values: unknown[]) => unknown
    const spied = object as Record<K, (...values: unknown[]) => unknown>
    const take = () => this.take(`${name}.${String(key)}`)
    vi.spyOn(spied, key as never).mockImplementation(function (this: T, ...values: unknown[]) {
      take()
      return original.apply(this, values)
    } as never)
  }

  #constructed<C extends new (...values: never[]) => object>(name: string, original: C): C {
    return new Proxy(original, {
      construct: (target, values, made) => {
        this.take(name)
        return Reflect.construct(target, values, made) as object
      },
    })
  }
}

it.each(Object.entries(FILES))(
  'RPT-07: whatever fails while a %s is begun gives everything back: the next six are answered',
  { timeout: 120_000 },
  async (_, [path, body]) => {
    const merchant = await makeMerchant(db())
    await makeRedemption(db(), await makePosUser(db(), merchant), '2026-11-20')
    const steps = new Steps()
    const walled = server.database.forTenant(merchant.organisation.id)
    vi.spyOn(server.database, 'forTenant').mockReturnValueOnce(steps.database(walled))
    const { token } = await signIn(ask, merchant.main)
    const request = async () => sendPost(ask, path, body, token, { 'login-type': 'MERCHANT' })
    const read = async () => {
      const answer = await request()
      return answer.status === 200 ? answer.text().then(() => 'whole') : String(answer.status)
    }
    expect(await read()).toBe('whole')
    steps.ofTheRest()
    const failed: string[] = []
    let outcome = ''
    for (let nth = 1; outcome !== 'whole'; nth += 1) {
      steps.failAt(nth)
      outcome = await read().catch((error: Error) => error.message)
      const step = steps.failed() ?? 'none'
      failed.push(step)
      steps.failAt(Infinity)
      for (let again = 1; again <= 6; again += 1) expect(`${step}, then ${await read()}`).toBe(`${step}, then whole`)
    }
    expect(failed.at(-1)).toBe('none')
    expect(failed).toEqual(
      expect.arrayContaining([
        'database.openReading',
        'reading.csv',
        'encodeURIComponent',
        'ReadableStream',
        'log.info',
      ]),
    )
  },
)

it('RPT-07: the place of a file that nobody takes is free when its reading was closed for that', async () => {
  const merchant = await makeMerchant(db())
  const walled = server.database.forTenant(merchant.organisation.id)
  const readings: Reading[] = []
  const openReading = async (purpose: 'report' | 'export') => {
    const reading = await walled.openReading(purpose)
    readings.push(reading)
    return reading
  }
  vi.spyOn(server.database, 'forTenant').mockReturnValueOnce({ ...walled, openReading })
  const { token } = await signIn(ask, merchant.main)
  const [path, body] = FILES['table export']
  const begun: Response[] = []
  for (let nth = 1; nth <= 5; nth += 1) begun.push(await sendPost(ask, path, body, token))
  expect((await sendPost(ask, path, body, token)).status).toBe(503)
  // As the pool does after a minute.
  await readings[0]!.close()
  begun.push(await sendPost(ask, path, body, token))
  expect(begun.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  await Promise.all(begun.map((answer) => answer.body!.cancel()))
})

it('RPT-07: a branch whose name is cut in the middle of a sign gets its reports, six times', async () => {
  const merchant: Merchant = await makeMerchant(db())
  const { token } = await signIn(ask, merchant.main)
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
      const answer = await sendPost(ask, FILES['transaction report'][0], body, token, { 'login-type': 'MERCHANT' })
      expect(answer.status).toBe(200)
      const filename = decodeURIComponent(answer.headers.get('content-disposition')!.split("UTF-8''")[1]!)
      expect(filename).toBe(`Transaction Report, 2026-11-20 to 2026-11-21, ${shown[at]}.csv`)
      await answer.text()
    }
  }
})
