import { once } from 'node:events'
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2'
import { text } from 'node:stream/consumers'
import { setInterval as ticks } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../server/db/redemptions/ledger.ts'
import { redemption } from '../../server/db/schema/redemptions.ts'
import { ERROR_MESSAGES } from '../../server/http/errorMessages.ts'
import { receiptNumber } from '../../server/services/redemptions/receipt.ts'
import { get, post, refresh, send, logIn, type Ask } from '../support/api/portalClient.ts'
import { makeMerchant, makePosUser, makeUser, makeVoucher } from '../support/database/builders.ts'
import { nginxBinary, startNginx, tlsClient, type Nginx } from '../support/operations/nginx.ts'
import { CountingTill, journalOf } from '../support/redemptions/CountingTill.ts'
import { freshVouchers } from '../support/redemptions/seedTills.ts'
import { cancelHeld, newHoldKey, testTill, redeemHeld } from '../support/redemptions/testTill.ts'
import { freePort } from '../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../support/server/serverEnvironment.ts'
import { startServer, type ServerProcess } from '../support/server/serverProcess.ts'

// Runs two servers on one PostgreSQL behind deploy/nginx.conf. `ROLL_ROUNDS` is the number of rolling restarts.
const ROUNDS = Number(process.env['ROLL_ROUNDS'] ?? 1)
const TILLS = 4
/** Milliseconds between two redemptions of a till. */
const PACE_MS = 50

const missing = whatIsMissing()

let place: ServerEnvironment
let env: Record<string, string>
let database: Database
let nginx: Nginx
let servers: ServerProcess[]
const [first, second] = [0, 1].map(
  (which): Ask =>
    (path, init) =>
      fetch(servers[which]!.url + path, init),
) as [Ask, Ask]
const through = (from?: string) => tlsClient(nginx.url, { certificate: nginx.certificate, ...(from ? { from } : {}) })

/** Calls from one address, with a header that claims another. */
function claiming(from: string, address: string): Ask {
  const ask = through(from)
  return (path, init) => ask(path, { ...init, headers: { ...init?.headers, 'x-forwarded-for': address } })
}

describe.skipIf(missing)(`two servers behind nginx ${missing && `(${missing})`}`, () => {
  beforeAll(async () => {
    place = await serverEnvironment()
    database = await place.open()
    const ports = [await freePort(), await freePort()] as const
    const port = await freePort()
    env = { ...place.env, TRUST_PROXY: 'on', PUBLIC_URL: `https://127.0.0.1:${port}` }
    servers = await Promise.all(ports.map((own) => startServer(env, own)))
    nginx = await startNginx(port, [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`])
  })
  afterAll(async () => {
    await nginx.stop()
    await Promise.all(servers.map((server) => server.kill()))
    await database.close()
    await place.remove()
  })

  it('a session begun at one is refreshed at the other, and ended at one is ended at the other', async () => {
    const { main } = await makeMerchant(database.db)
    const { token, cookie } = await logIn(first, main)
    const refreshed = await refresh(second, token, cookie)
    expect(refreshed.status).toBe(200)
    const { access_token } = refreshed.data
    expect((await get(first, '/api/account/my_info', access_token)).status).toBe(200)
    expect((await get(second, '/api/account/logout', access_token)).status).toBe(200)
    expect(await get(first, '/api/account/my_info', access_token)).toMatchObject({
      status: 401,
      error: 'SESSION_ENDED',
    })
  })

  it('one redemption sent to both at once is one, with one receipt', async () => {
    const till = await testTill(first, await makePosUser(database.db))
    const key = await till.hold((await makeVoucher(database.db)).serial)
    const told = await Promise.all([first, second, first, second].map((ask) => redeemHeld(ask, key)))
    expect(told.filter((one) => one.state === 'redeemed' && !one.replayed)).toHaveLength(1)
    expect(new Set(told.map((one) => one.state === 'redeemed' && one.receipt.receipt_number)).size).toBe(1)
    expect(await ledgerCheck(database)).toMatchObject({ balanced: true })
  })

  it('who is throttled by address stays so under any other that it claims, at both servers, and nobody else is', async () => {
    const cancelled: string[] = []
    for (let n = 0; n < 64; n += 1) {
      cancelled.push((await cancelHeld(claiming('127.0.0.8', `203.0.113.${n}`), newHoldKey())).state)
    }
    expect(cancelled.slice(-4)).toEqual(['later', 'later', 'later', 'later'])
    expect(await cancelHeld(claiming('127.0.0.9', '127.0.0.8'), newHoldKey())).toMatchObject({ state: 'ended' })
  })

  it('AUT-06: a flood at the login is refused by nginx in the words of the server, and nobody else is', async () => {
    const flooding = through('127.0.0.10')
    const key = (ask: Ask) => get(ask, '/api/auth/encryption_public_key')
    const answers = await Promise.all(Array.from({ length: 200 }, () => key(flooding)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.length - refused.length).toBeGreaterThan(60)
    const { headers, error, body } = refused[0]!
    expect([error, headers.get('retry-after')]).toEqual(['TOO_MANY_ATTEMPTS', '5'])
    const { message } = body as { message: string }
    expect(message).toBe(ERROR_MESSAGES.TOO_MANY_ATTEMPTS)
    expect((await key(through('127.0.0.11'))).status).toBe(200)
  })

  it('headers come once, and what is too large is refused in the words of the server', async () => {
    const ask = through()
    const page = await ask('/login')
    for (const name of ['content-security-policy', 'strict-transport-security', 'x-content-type-options'] as const) {
      const direct = (await first('/login')).headers.get(name)
      expect(direct).not.toBeNull()
      expect(page.headers.get(name)).toBe(direct)
    }
    const large = await send(ask, 'POST', '/api/auth/login', { body: 'x'.repeat(1_100_000) })
    expect([large.status, ((await large.json()) as { error: string }).error]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect((await ask('/api/metrics')).status).toBe(404)
  })

  it('takes TLS 1.2 with forward secrecy only', async () => {
    const { hostname, port } = new URL(nginx.url)
    const withSuite = async (ciphers: string) => {
      const socket = tlsConnect({
        host: hostname,
        port: Number(port),
        ca: nginx.certificate,
        maxVersion: 'TLSv1.2',
        ciphers,
      })
      try {
        await once(socket, 'secureConnect')
        return socket.getCipher().name
      } catch (error) {
        return (error as NodeJS.ErrnoException).code
      } finally {
        socket.destroy()
      }
    }
    expect(await withSuite('ECDHE-RSA-AES128-GCM-SHA256')).toBe('ECDHE-RSA-AES128-GCM-SHA256')
    for (const suite of ['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA256'])
      expect(await withSuite(suite)).toMatch(/HANDSHAKE_FAILURE$/)
  })

  it('speaks HTTP/2', async () => {
    const client = connect(nginx.url, { ca: nginx.certificate })
    const call = client.request({ ':path': '/api/health?nonce=7' })
    const [headers] = (await once(call, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader]
    expect(headers[':status']).toBe(200)
    expect(await text(call)).toContain('"nonce":"7"')
    client.close()
  })

  it('an agreement of five megabytes presigned by one server is taken by the other', async () => {
    const { main } = await makeMerchant(database.db, 'HRP Merchant', 'Pending Authorisation')
    const { token } = await logIn(first, main)
    const size = 5 * 1_024 * 1_024
    const asked = { kind: 'merchant_agreement', content_type: 'application/pdf', content_length: size }
    const { data } = await post<{ url: string; headers: Record<string, string> }>(
      first,
      '/api/s3_upload/s3_presigned_url',
      asked,
      token,
    )
    const body = new Uint8Array(size)
    for (const expected of [200, 412]) {
      const put = await through()(data.url.slice(nginx.url.length), { method: 'PUT', headers: data.headers, body })
      expect(put.status).toBe(expected)
    }
  })

  it(
    'a rolling restart under load fails no request and loses no redemption',
    async () => {
      const owner = await makeMerchant(database.db)
      const tills = await Promise.all(
        Array.from({ length: TILLS }, async () => {
          const ask = through()
          return new CountingTill(ask, await testTill(ask, await makePosUser(database.db, owner)))
        }),
      )
      const { token } = await logIn(through(), await makeUser(database.db, 'HRP Merchant', owner))
      const before = (await ledgerCheck(database)).ledger_rows
      let isRolled = false
      const isOver = () => isRolled
      const selling = tills.map((till) => till.redeemUntilDeath(freshVouchers(database.db, PACE_MS, isOver)))
      const load = Promise.all([readUntil(isOver, token), ...selling])
      const rolled = roll().finally(() => (isRolled = true))
      // The first failure is thrown with the error log of nginx.
      await Promise.all([load, rolled]).catch((error: unknown) => {
        throw new Error(nginx.errors(), { cause: error })
      })
      const [reads] = await load
      expect(new Set(reads)).toEqual(new Set([200]))
      const told = journalOf(tills)
      console.info(`rolling restarts: ${ROUNDS}, redemptions: ${told.size}, reads: ${reads.length}, failed: 0`)
      expect(told.size).toBeGreaterThan(TILLS * 10 * ROUNDS)
      const written = new Map(
        (await database.db.select().from(redemption)).map((row) => [row.id, receiptNumber(row.receiptNo)]),
      )
      for (const [id, receipt] of told) expect(written.get(id)).toBe(receipt)
      expect(await ledgerCheck(database)).toMatchObject({ balanced: true, ledger_rows: before + told.size })
    },
    60_000 + ROUNDS * 60_000,
  )
})

/** Returns the reason why these tests are skipped, or '' if they run. */
function whatIsMissing(): string {
  if (!nginxBinary()) return 'nginx is not installed'
  // Debian's nginx writes the bodies of requests to a folder of its own.
  return process.getuid?.() === 0 ? '' : 'needs root'
}

/** Restarts one server after the other as docs/OPERATIONS.md says: the next one once the one before is ready again. */
async function roll(): Promise<void> {
  for (const which of Array.from({ length: ROUNDS }, () => [0, 1]).flat()) {
    const { port, stop } = servers[which]!
    expect(await stop()).toBe(0)
    servers[which] = await startServer(env, port)
  }
}

/** Reads as a merchant until `isOver`. Returns the statuses. */
async function readUntil(isOver: () => boolean, token: string): Promise<number[]> {
  const ask = through()
  const statuses: number[] = []
  for await (const _ of ticks(PACE_MS)) {
    if (isOver()) break
    statuses.push((await get(ask, '/api/account/my_info', token)).status)
  }
  return statuses
}
