import { describe, expect } from 'vitest'
import { mailsTo } from '../../support/api/mailbox.ts'
import { cookiesOf, logIn, tryToLogIn, type Ask, type Reply } from '../../support/api/portalClient.ts'
import { makeMerchant, makePosUser, type User } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const BLOCKED = { status: 429, error: 'TOO_MANY_ATTEMPTS' }
const REFUSED = { status: 400, error: 'INVALID_CREDENTIALS' }

/** Calls `ask` with the cookies of a browser. */
const withCookies =
  (cookie: string): Ask =>
  (path, init) =>
    ask(path, { ...init, headers: { ...(init?.headers as Record<string, string>), cookie } })

/** Returns a browser that `user` has logged in with. */
async function knownDevice(user: User): Promise<Ask> {
  const { cookie } = await logIn(ask, user)
  return withCookies(cookie)
}

async function guess(from: Ask, user: User, times: number) {
  const replies = []
  for (let n = 0; n < times; n += 1) replies.push(await tryToLogIn(from, user, 'Wrong-Horse-2026!'))
  return replies
}

const deviceOf = (reply: Reply) => /\bdevice=([^;\s]*)/.exec(cookiesOf(reply))?.[1]

describe('a device that has logged in before', () => {
  it('AUT-05: is let in while strange devices guess, for a till as for a merchant', async () => {
    const merchant = await makeMerchant(db())
    for (const user of [merchant.main, await makePosUser(db(), merchant)]) {
      const device = await knownDevice(user)
      await guess(ask, user, 6)
      expect(await tryToLogIn(ask, user)).toMatchObject(BLOCKED)
      expect((await tryToLogIn(device, user)).status).toBe(200)
      expect(await tryToLogIn(ask, user)).toMatchObject(BLOCKED)
    }
  })

  it('AUT-05: is let in after hours of two guesses a second', async () => {
    const { main } = await makeMerchant(db())
    const device = await knownDevice(main)
    for (let hour = 0; hour < 8; hour += 1) {
      await guess(ask, main, 2)
      server.clock.advance({ minutes: 30 })
    }
    await guess(ask, main, 2)
    expect(await tryToLogIn(ask, main)).toMatchObject(BLOCKED)
    expect((await tryToLogIn(device, main)).status).toBe(200)
  })

  it('AUT-04: may guess no more than a strange one, and keeps nobody else out', async () => {
    const { main } = await makeMerchant(db())
    const [stolen, other] = [await knownDevice(main), await knownDevice(main)]
    for (const reply of await guess(stolen, main, 5)) expect(reply).toMatchObject(REFUSED)
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const blocked = await tryToLogIn(stolen, main)
      expect(blocked).toMatchObject(BLOCKED)
      expect(blocked.headers.get('retry-after')).toBe(String(seconds))
      server.clock.advance({ seconds })
      expect(await tryToLogIn(stolen, main, 'Wrong-Horse-2026!')).toMatchObject(REFUSED)
    }
    expect((await tryToLogIn(other, main)).status).toBe(200)
    expect((await tryToLogIn(ask, main)).status).toBe(200)
    expect(await tryToLogIn(stolen, main)).toMatchObject(BLOCKED)
  })

  it('AUT-04: is known to its own person only, and a cookie of one’s own making to nobody', async () => {
    const merchant = await makeMerchant(db())
    const till = await knownDevice(await makePosUser(db(), merchant))
    const strange = withCookies(`device=${'A'.repeat(43)}`)
    await guess(ask, merchant.main, 5)
    for (const device of [till, strange]) expect(await tryToLogIn(device, merchant.main)).toMatchObject(BLOCKED)
  })

  it('AUT-05: is let in again with a new password, however often the old one was tried on it', async () => {
    const merchant = await makeMerchant(db())
    const cashier = await makePosUser(db(), merchant)
    const device = await knownDevice(cashier)
    await guess(device, cashier, 5)
    expect(await tryToLogIn(device, cashier)).toMatchObject(BLOCKED)
    const main = await logIn(ask, merchant.main)
    const reset = await ask(`/api/pos/reset_password/${cashier.id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${main.token}` },
    })
    expect(reset.status).toBe(200)
    const { data } = (await reset.json()) as { data: { temporary_password: string } }
    expect((await tryToLogIn(device, cashier, data.temporary_password)).status).toBe(200)
  })

  it('AUT-05: is told from others in the mail about a lock', async () => {
    const { main } = await makeMerchant(db())
    const device = await knownDevice(main)
    const lastMail = async () => (await mailsTo(db(), main.loginName)).at(-1)
    await guess(ask, main, 5)
    await server.deps.background.settled()
    expect((await lastMail())?.text).toContain('Devices that have logged in before can still log in.')
    server.clock.advance({ hours: 1 })
    await guess(device, main, 5)
    await server.deps.background.settled()
    expect((await lastMail())?.text).toContain('The device that they came from was locked')
  })

  it('AUT-05: is known by a cookie of ours only; any other is as none, and replaced', async () => {
    const { main } = await makeMerchant(db())
    for (const made of ['A'.repeat(43), 'x', 'x'.repeat(4_000), `${'B'.repeat(43)}%00`]) {
      const reply = await tryToLogIn(withCookies(`device=${made}`), main)
      expect(reply.status).toBe(200)
      expect(deviceOf(reply)).toMatch(/^[\w-]{43}$/)
      expect(deviceOf(reply)).not.toBe(made)
    }
  })

  it('AUT-05: that many share is known to each of them by one cookie', async () => {
    const merchant = await makeMerchant(db())
    const [first, second] = [await makePosUser(db(), merchant), await makePosUser(db(), merchant)]
    const shared = await knownDevice(first)
    const cookie = deviceOf(await tryToLogIn(shared, second))
    expect(deviceOf(await tryToLogIn(shared, first))).toBe(cookie)
    for (const user of [first, second]) {
      await guess(ask, user, 6)
      expect((await tryToLogIn(shared, user)).status).toBe(200)
    }
  })
})
