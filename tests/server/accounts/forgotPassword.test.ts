import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, vi } from 'vitest'
import { createApp } from '../../../server/app.ts'
import { background } from '../../../server/background/background.ts'
import { loginAttempt, passwordLink, session } from '../../../server/db/schema/accounts.ts'
import { appUser } from '../../../server/db/schema/organisations.ts'
import { sendDueMail } from '../../../server/mail/mailSender.ts'
import { loginAttemptKey } from '../../../server/services/accounts/login/throttledAttempt.ts'
import { newToken } from '../../../server/services/opaqueToken.ts'
import { confirmReset, encrypted, mailedResetToken } from '../../support/accounts/passwordEndpoints.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import {
  get,
  logIn,
  post,
  refresh,
  reply,
  send,
  tryToLogIn,
  type Ask,
  type Reply,
} from '../../support/api/portalClient.ts'
import {
  makeBranch,
  makeMerchant,
  makeOrganisation,
  makePosUser,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type User,
} from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { recordedLog, silentLog } from '../../support/server/silentLog.ts'

let main: User
beforeEach(async () => {
  main = (await makeMerchant(db())).main
})
const FORGOT = '/api/auth/forgot_password'
const DEAD = { status: 400, error: 'LINK_INVALID' }
const forgot = async (email: string, headers?: Record<string, string>) =>
  reply(await send(ask, 'POST', FORGOT, { body: { email }, headers }))
const settled = () => server.deps.background.settled()
const rowOf = async ({ id }: User) => (await db().select().from(appUser).where(eq(appUser.id, id)))[0]!

/** Login names that ask for a reset. Their answers must look the same; only the first two get mail. */
async function askers(): Promise<Record<string, string>> {
  const organisation = await makeOrganisation(db())
  const shut = await makeBranch(db(), organisation, { status: 'Inactive' })
  const closed = await makeOrganisation(db(), { status: 'Inactive' })
  const invited = { status: 'Pending Activation' } as const
  return {
    known: main.loginName,
    gated: (await makeMerchant(db(), 'HRP Merchant', 'Pending Authorisation')).main.loginName,
    unknown: 'nobody@test.example',
    inactive: (await makeUser(db(), 'HRP Merchant', { organisation }, { status: 'Inactive' })).loginName,
    'of an inactive branch': (await makeUser(db(), 'Branch Merchant', { organisation, branch: shut })).loginName,
    'of an inactive organisation': (await makeUser(db(), 'HRP Merchant', { organisation: closed })).loginName,
    'not activated': (await makeUser(db(), 'Additional Merchant', { organisation }, invited)).loginName,
    'a POS name': (await makePosUser(db(), undefined, { loginName: `${newToken().toLowerCase()}@test.example` }))
      .loginName,
  }
}

describe('who asks for a link', () => {
  it('AUT-22: gets the same answer whether or not there is an account; only who may log in gets mail', async () => {
    const names = await askers()
    const replies: Reply[] = []
    for (const name of Object.values(names)) replies.push(await forgot(name))
    await settled()
    for (const { status, body, headers } of replies) {
      expect({ status, body }).toEqual({ status: 200, body: { data: { accepted: true } } })
      expect([...headers.keys()]).toEqual([...replies[0]!.headers.keys()])
    }
    const mailed: string[] = []
    for (const [who, name] of Object.entries(names)) if ((await mailsTo(db(), name)).length > 0) mailed.push(who)
    expect(mailed).toEqual(['known', 'gated'])
  })

  it('AUT-22: is answered without a look at any account, so nothing in the answer can depend on it', async () => {
    const hanging = new Proxy(db(), {
      get: () => () => {
        throw new Error('asked')
      },
    })
    const log = recordedLog()
    const work = background(log)
    const app = createApp({ ...server.deps, background: work, database: { ...server.database, db: hanging } })
    const { status } = await post((path, init) => app.request(path, init), FORGOT, { email: main.loginName })
    expect(status).toBe(200)
    await work.settled()
    expect(log.events).toMatchObject([{ level: 'error', event: 'reset_mail_failed' }])
  })

  it('AUT-22: reads the email whatever its case, and refuses what is none, alike for everybody', async () => {
    await forgot(` ${main.loginName.toUpperCase()} `)
    await settled()
    expect(await mailsTo(db(), main.loginName)).toHaveLength(1)
    expect(await forgot('till-1')).toMatchObject({ status: 422, error: 'VALIDATION_FAILED' })
  })
})

describe('asking again and again', () => {
  it('AUT-23: sends three mails an hour, answers always, and does nothing to logging in', async () => {
    for (let asked = 0; asked < 50; asked += 1) expect((await forgot(main.loginName)).status).toBe(200)
    await settled()
    expect(await mailsTo(db(), main.loginName)).toHaveLength(3)
    expect((await tryToLogIn(ask, main)).status).toBe(200)
    server.clock.advance({ minutes: 59, seconds: 59 })
    await forgot(main.loginName)
    await settled()
    expect(await mailsTo(db(), main.loginName)).toHaveLength(3)
    server.clock.advance({ seconds: 1 })
    await forgot(main.loginName)
    await settled()
    expect(await mailsTo(db(), main.loginName)).toHaveLength(4)
  })
})

describe('a stranger who asks for names that nobody has', () => {
  const from =
    (remoteAddress: string, headers: Record<string, string> = {}): Ask =>
    (path, init) =>
      server.app.request(path, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }, {
        incoming: { socket: { remoteAddress } },
      } as never)
  const forgotFrom = (line: Ask, email: string) => post(line, FORGOT, { email })

  it('AUT-22: holds back their own device that has logged in, and no other one with the same browser', async () => {
    const others = (await makeMerchant(db())).main
    const [mine, theirs] = [await logIn(ask, main), await logIn(ask, others)]
    for (let asked = 0; asked < 60; asked += 1)
      expect((await forgotFrom(from('192.0.2.7', { cookie: mine.cookie }), main.loginName)).status).toBe(200)
    expect((await forgotFrom(from('192.0.2.7', { cookie: mine.cookie }), main.loginName)).status).toBe(429)
    expect((await forgotFrom(from('192.0.2.7', { cookie: theirs.cookie }), others.loginName)).status).toBe(200)
  })

  it('AUT-22: is refused from the sixty-first in a minute on; other lines, and devices that have logged in, are not', async () => {
    for (let asked = 0; asked < 60; asked += 1)
      expect((await forgotFrom(from('192.0.2.7'), `nobody-${asked}@test.example`)).status).toBe(200)
    const refused = await forgotFrom(from('192.0.2.7'), main.loginName)
    expect(refused).toMatchObject({ status: 429, error: 'TOO_MANY_ATTEMPTS' })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await forgotFrom(from('192.0.2.8'), main.loginName)).status).toBe(200)
    const { cookie } = await logIn(ask, main)
    expect((await forgotFrom(from('192.0.2.7', { cookie }), main.loginName)).status).toBe(200)
    await settled()
    expect(await mailsTo(db(), main.loginName)).toHaveLength(2)
    server.clock.advance({ minutes: 1 })
    expect((await forgotFrom(from('192.0.2.7'), main.loginName)).status).toBe(200)
  })

  it('AUT-22: is told by a full queue that the server is busy, as everybody is, and never that the mail is accepted', async () => {
    const work = background(silentLog)
    let comeBack: () => void = () => undefined
    const mailIsBack = new Promise<void>((resolve) => (comeBack = resolve))
    for (let asked = 0; asked < 1_000; asked += 1) work.run('reset_mail_failed', () => mailIsBack)
    const app = createApp({ ...server.deps, background: work })
    for (const email of ['nobody@test.example', main.loginName]) {
      const busy = await post((path, init) => app.request(path, init), FORGOT, { email })
      expect(busy).toMatchObject({ status: 503, error: 'SERVER_BUSY' })
      expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    comeBack()
    await work.settled()
  })
})

describe('asking many servers at the same moment', () => {
  it('AUT-23: sends three mails as well, and the last link is the good one', async () => {
    const servers = Array.from({ length: 8 }, () => {
      const work = background(server.log)
      return { work, app: createApp({ ...server.deps, background: work }) }
    })
    const asked = servers.flatMap(({ app }) => [app, app, app])
    await Promise.all(
      asked.map((app) => post((path, init) => app.request(path, init), FORGOT, { email: main.loginName })),
    )
    await Promise.all(servers.map(({ work }) => work.settled()))
    const tokens = await mailedTokens(db(), main.loginName)
    expect(tokens).toHaveLength(3)
    const links = await db().select().from(passwordLink).where(eq(passwordLink.userId, main.id))
    expect(links.filter(({ superseded }) => !superseded)).toHaveLength(1)
  })
})

describe('the token of a link', () => {
  it('AUT-24: has 256 random bits', () => {
    const tokens = Array.from({ length: 1_000 }, newToken)
    expect(new Set(tokens).size).toBe(1_000)
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    // Every bit of the first byte is set about half of the time. A counter or a time would not pass.
    for (let bit = 0; bit < 8; bit += 1) {
      const set = tokens.filter((token) => (Buffer.from(token, 'base64url')[0]! >> bit) & 1).length
      expect(set).toBeGreaterThan(400)
      expect(set).toBeLessThan(600)
    }
  })

  it('AUT-24: travels in the fragment, is kept as a hash, and once mailed is nowhere else', async () => {
    const token = await mailedResetToken(server, main)
    const [mail] = await mailsTo(db(), main.loginName)
    expect(mail!.text).toContain(`http://127.0.0.1:8080/login?step=reset#token=${token}\n`)
    expect(mail!.html).toContain(`href="http://127.0.0.1:8080/login?step=reset#token=${token}"`)
    const [link] = await db().select().from(passwordLink).where(eq(passwordLink.userId, main.id))
    expect(link!.tokenHash).toBe(createHash('sha256').update(token).digest('hex'))
    const send = () => Promise.resolve()
    await sendDueMail(server.deps, { send, close: () => undefined })
    expect((await confirmReset(ask, token, 'Short1!')).error).toBe('PASSWORD_REFUSED')
    expect(await everyTable()).not.toContain(token)
    expect(JSON.stringify(server.log.events)).not.toContain(token)
  })

  /** Returns the whole database as text. */
  async function everyTable(): Promise<string> {
    const { run } = server.database
    const named = await run<[], { name: string }>(
      { name: 'dumped_tables', text: `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'` },
      [],
    )
    const dumps = await Promise.all(
      named.map(({ name }) =>
        run<[], { row: string }>({ name: `dump_${name}`, text: `SELECT t::text AS row FROM ${name} t` }, []),
      ),
    )
    expect(JSON.stringify(dumps)).toContain(main.loginName)
    return JSON.stringify(dumps)
  }
})

describe('AUT-25: a link', () => {
  const works = async (token: string) => (await confirmReset(ask, token, NEW_PASSWORD)).status === 200

  it('works for thirty minutes', async () => {
    const token = await mailedResetToken(server, main)
    server.clock.advance({ minutes: 30 })
    expect(await confirmReset(ask, token, NEW_PASSWORD)).toMatchObject(DEAD)
    expect((await rowOf(main)).passwordHash).toBe(main.passwordHash)
    const second = await mailedResetToken(server, main)
    server.clock.advance({ minutes: 29, seconds: 59 })
    expect(await works(second)).toBe(true)
  })

  it('works once', async () => {
    const token = await mailedResetToken(server, main)
    expect(await works(token)).toBe(true)
    expect(await confirmReset(ask, token, 'Other-Lantern-88!')).toMatchObject(DEAD)
    expect((await tryToLogIn(ask, main, NEW_PASSWORD)).status).toBe(200)
  })

  it('works once when it is used ten times at the same moment', async () => {
    const token = await mailedResetToken(server, main)
    const bodies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => encrypted(ask, { encrypted_password: `Lantern-Number-${index}-x` })),
    )
    const replies = await Promise.all(
      bodies.map((body) => post(ask, '/api/auth/confirm_forgot_password', { token, ...body })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ error }) => error === 'LINK_INVALID')).toHaveLength(9)
  })

  it('is replaced by a newer one', async () => {
    const [first, second] = [await mailedResetToken(server, main), await mailedResetToken(server, main)]
    expect(await confirmReset(ask, first, NEW_PASSWORD)).toMatchObject(DEAD)
    expect(await works(second)).toBe(true)
  })

  it('is for the account it was mailed to, and for no other; a made-up one is for nobody', async () => {
    const other = (await makeMerchant(db())).main
    const token = await mailedResetToken(server, other)
    expect(await confirmReset(ask, newToken(), NEW_PASSWORD)).toMatchObject(DEAD)
    expect(await works(token)).toBe(true)
    expect((await rowOf(main)).passwordHash).toBe(main.passwordHash)
    expect((await tryToLogIn(ask, other, NEW_PASSWORD)).status).toBe(200)
  })

  it('stays good when the new password is refused', async () => {
    const token = await mailedResetToken(server, main)
    expect((await confirmReset(ask, token, 'Password1234!')).error).toBe('PASSWORD_TOO_COMMON')
    expect((await confirmReset(ask, token, PASSWORD)).error).toBe('PASSWORD_REUSED')
    expect(await works(token)).toBe(true)
  })

  it('is dead when its account was deactivated meanwhile', async () => {
    const token = await mailedResetToken(server, main)
    await db().update(appUser).set({ status: 'Inactive' }).where(eq(appUser.id, main.id))
    expect(await confirmReset(ask, token, NEW_PASSWORD)).toMatchObject(DEAD)
  })
})

describe('a reset', () => {
  it('AUT-26: signs nobody in, ends every session and tells the owner', async () => {
    const { token, cookie } = await logIn(ask, main)
    const reply = await confirmReset(ask, await mailedResetToken(server, main), NEW_PASSWORD)
    expect(reply.body).toEqual({ data: { changed: true } })
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(await get(ask, '/api/account/my_info', token)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    expect(await refresh(ask, token, cookie)).toMatchObject({ status: 401, error: 'SESSION_ENDED' })
    const sessions = await db().select().from(session).where(eq(session.userId, main.id))
    expect(sessions).toMatchObject([{ endedReason: 'password_changed' }])
    const mails = await mailsTo(db(), main.loginName)
    expect(mails.map(({ kind }) => kind)).toEqual(['reset', 'password_changed'])
    expect(mails[1]!.text).toContain('was changed with a link from an email')
  })

  it('AUT-05: lets an owner in at once whom somebody’s guessing had locked out', async () => {
    for (let tries = 0; tries < 6; tries += 1) await tryToLogIn(ask, main, 'Wrong-Horse-2026!')
    expect((await tryToLogIn(ask, main)).status).toBe(429)
    expect((await confirmReset(ask, await mailedResetToken(server, main), NEW_PASSWORD)).status).toBe(200)
    expect(
      await db()
        .select()
        .from(loginAttempt)
        .where(eq(loginAttempt.account, loginAttemptKey('merchant', main.loginName))),
    ).toEqual([])
    expect((await tryToLogIn(ask, main, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('AUT-27: the address in a link', () => {
  it('is the configured one, whatever the request says', async () => {
    const settings = { ...server.deps.settings, publicUrl: 'https://portal.example' }
    const app = createApp({ ...server.deps, settings })
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    await reply(
      await send((path, init) => app.request(`http://evil.example${path}`, init), 'POST', FORGOT, {
        body: { email: main.loginName },
        headers,
      }),
    )
    await settled()
    const [mail] = await mailsTo(db(), main.loginName)
    expect(mail!.text).toContain('https://portal.example/login?step=reset#token=')
    expect(mail!.text! + mail!.html!).not.toContain('evil')
  })
})

describe('work behind an answer', () => {
  it('is bounded: a flood is dropped, not kept', async () => {
    const log = recordedLog()
    const work = background(log)
    let done = 0
    for (let index = 0; index < 1_200; index += 1) {
      work.run('never', async () => {
        await sleep(0)
        done += 1
      })
    }
    await work.settled()
    expect(done).toBe(1_000)
    expect(log.events.filter(({ event }) => event === 'background_full')).toHaveLength(200)
  })

  it('FLT-12: does not wait for work of another kind: mail that hangs in a flood delays and drops no entry of the log', async () => {
    const log = recordedLog()
    const work = background(log)
    let comeBack: () => void = () => undefined
    const mailIsBack = new Promise<void>((resolve) => (comeBack = resolve))
    for (let index = 0; index < 1_100; index += 1) work.run('mail_failed', () => mailIsBack)
    let noted = 0
    work.run('not_noted', async () => void (noted += 1))
    await vi.waitFor(() => expect(noted).toBe(1))
    const dropped = log.events.filter(({ event }) => event === 'background_full')
    expect(dropped.map(({ facts }) => facts['work'])).toEqual(Array.from({ length: 100 }, () => 'mail_failed'))
    comeBack()
    await work.settled()
  })
})
