import { beforeEach, describe, expect } from 'vitest'
import { createApp } from '../../../server/app.ts'
import type { Settings } from '../../../server/Deps.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { cookiesOf, logIn, tryToLogIn, type Ask } from '../../support/api/portalClient.ts'
import { makeMerchant, makeUser, type User } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { recordedLog } from '../../support/server/silentLog.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

let main: User
beforeEach(async () => {
  main = (await makeMerchant(db())).main
})
const settled = () => server.deps.background.settled()
/** Calls the app with these headers on every request, from this address. */
const from =
  (headers: Record<string, string>, remoteAddress = '::ffff:192.0.2.7', app = server.app): Ask =>
  (path, init) =>
    app.request(path, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }, {
      incoming: { socket: { remoteAddress } },
    } as never)
const mailKinds = async ({ loginName }: User) => (await mailsTo(db(), loginName)).map(({ kind }) => kind)

describe('the address of a caller', () => {
  const proxied = { 'x-forwarded-for': '203.0.113.1, 198.51.100.2' }
  /** Returns the address that the mail about a new browser names. */
  const addressOf = async (caller: Ask) => {
    await logIn(ask, main)
    await logIn(caller, main)
    return /, address (.+), on /.exec((await mailsTo(db(), main.loginName)).at(-1)?.text ?? '')?.[1]
  }
  const withSettings = (settings: Partial<Settings>, log = server.deps.log) =>
    createApp({ ...server.deps, log, settings: { ...server.deps.settings, ...settings } })
  const behindProxy = () => withSettings({ trustProxy: true })

  it('is that of the socket, whatever it says itself', async () => {
    expect(await addressOf(from(proxied))).toBe('192.0.2.7')
    expect(await addressOf(from({}, '2001:db8::1'))).toBe('2001:db8::1')
  })

  it('is the last hop the proxy saw, when a proxy is trusted', async () => {
    expect(await addressOf(from(proxied, '10.0.0.1', behindProxy()))).toBe('198.51.100.2')
    const withPort = { 'x-forwarded-for': '203.0.113.1, [::ffff:198.51.100.2]:51234' }
    expect(await addressOf(from(withPort, '10.0.0.1', behindProxy()))).toBe('198.51.100.2')
    const nonsense = { 'x-forwarded-for': '203.0.113.1, <b>me</b>' }
    expect(await addressOf(from(nonsense, '10.0.0.1', behindProxy()))).toBe('hidden by a proxy')
  })

  const WRONG = { error: 'INVALID_CREDENTIALS' }
  const HIDING: [string, Partial<Settings>, Record<string, string>, string][] = [
    ['sends nothing', { trustProxy: true }, {}, 'the proxy sends no X-Forwarded-For'],
    ['sends Forwarded', { trustProxy: true }, { forwarded: 'for=203.0.113.7' }, 'the proxy sends no X-Forwarded-For'],
    [
      'sends words',
      { trustProxy: true },
      { 'x-forwarded-for': 'unknown' },
      'the proxy sends an unreadable X-Forwarded-For',
    ],
    ['is not trusted', { publicUrl: 'https://portal.example' }, proxied, 'there is a proxy, and TRUST_PROXY is off'],
  ]
  it.for(HIDING)('%s: the proxy that hides it holds nobody back, and is told of once', async (hiding) => {
    const [, settings, headers, reason] = hiding
    const log = recordedLog()
    const caller = from(headers, '10.0.0.1', withSettings(settings, log))
    const other = (await makeMerchant(db())).main
    for (let n = 0; n < 62; n += 1) {
      expect(await tryToLogIn(caller, { ...other, loginName: `${n}@no.example` }, 'x')).toMatchObject(WRONG)
    }
    expect((await tryToLogIn(caller, other)).status).toBe(200)
    const told = log.events.filter(({ event }) => event === 'callers_hidden')
    expect(told).toEqual([
      { level: 'warn', event: 'callers_hidden', facts: { reason, sends_forwarded: 'forwarded' in headers } },
    ])
  })

  it('a proxy in front of an address without https is told of too', async () => {
    const log = recordedLog()
    await tryToLogIn(from(proxied, '10.0.0.1', withSettings({}, log)), main)
    expect(log.events.map(({ event }) => event)).toContain('callers_hidden')
  })
})

describe('the mail about a new login', () => {
  it('goes out for a browser not seen before, not for the first one ever, nor for a known one', async () => {
    const first = await tryToLogIn(ask, main)
    expect(await mailKinds(main)).toEqual([])
    await logIn(from({ cookie: cookiesOf(first) }), main)
    expect(await mailKinds(main)).toEqual([])
    await logIn(from({ 'user-agent': CHROME }), main)
    const [mail, ...others] = await mailsTo(db(), main.loginName)
    expect(mail).toMatchObject({ kind: 'new_login', subject: expect.stringMatching(/^New login: ./) })
    expect(mail!.text).toContain('Chrome on Windows, address 192.0.2.7')
    expect(others).toEqual([])
  })

  it('knows a browser by its cookie, each user apart', async () => {
    const other = (await makeMerchant(db())).main
    await logIn(ask, other)
    const shared = from({ cookie: cookiesOf(await tryToLogIn(ask, main)) })
    await logIn(shared, other)
    expect(await mailKinds(other)).toEqual(['new_login'])
    await logIn(shared, other)
    expect(await mailKinds(other)).toEqual(['new_login'])
  })
})

describe('the mail about a locked account', () => {
  it('goes out when guessing has locked it, once an hour', async () => {
    const guess = async (times: number) => {
      for (let tries = 0; tries < times; tries += 1) await tryToLogIn(ask, main, 'Wrong-Horse-2026!')
      await settled()
    }
    await guess(4)
    expect(await mailKinds(main)).toEqual([])
    await guess(3)
    expect(await mailKinds(main)).toEqual(['account_locked'])
    server.clock.advance({ minutes: 10 })
    await guess(2)
    expect(await mailKinds(main)).toEqual(['account_locked'])
    server.clock.advance({ minutes: 51 })
    await guess(2)
    expect(await mailKinds(main)).toEqual(['account_locked', 'account_locked'])
  })

  it('is not written for a POS user, nor for a name nobody has', async () => {
    const { organisation, branch } = await makeMerchant(db())
    const till = await makeUser(db(), 'POS User', { organisation, branch })
    for (const user of [till, { ...main, loginName: 'nobody@test.example' }]) {
      for (let tries = 0; tries < 6; tries += 1) await tryToLogIn(ask, user, 'Wrong-Horse-2026!')
      await settled()
      expect(await mailsTo(db(), user.loginName)).toEqual([])
    }
  })
})
