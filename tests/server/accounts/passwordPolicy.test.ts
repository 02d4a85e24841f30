import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { passwordHistory } from '../../../server/db/schema/accounts.ts'
import { appUser } from '../../../server/db/schema/organisations.ts'
import { PASSWORD_ENDPOINTS, type Owner } from '../../support/accounts/passwordEndpoints.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import { makeOrganisation, makeUser, NEW_PASSWORD, PASSWORD } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

let owner: Owner
beforeEach(async () => {
  const organisation = await makeOrganisation(db(), { name: 'Kopi & Grain Pte. Ltd.' })
  const user = await makeUser(db(), 'Additional Merchant', { organisation })
  owner = { user, organisation, password: PASSWORD }
})

const canLogIn = async (password: string) => (await tryToLogIn(ask, owner.user, password)).status === 200
const hashNow = async () => (await db().select().from(appUser).where(eq(appUser.id, owner.user.id)))[0]!.passwordHash

describe.each(Object.entries(PASSWORD_ENDPOINTS))('a new password by %s', (_name, door) => {
  const set = (password: string) => door.set(server, owner, password)

  it('AUT-11 must keep the rules of the spec, each told by name at its field', async () => {
    const refused: [string, string[]][] = [
      ['Ab1!efghijk', ['length']],
      ['Abcdefgh-ijkl', ['digit']],
      ['abcdefgh-1jkl', ['upper']],
      ['ABCDEFGH-1JKL', ['lower']],
      ['Abcdefgh1jkl', ['special']],
      ['short', ['length', 'upper', 'digit', 'special']],
      [`Aa1!${'x'.repeat(125)}`, ['max_length']],
    ]
    for (const [password, rules] of refused) {
      const { status, error, body } = await set(password)
      expect({ status, error }).toEqual({ status: 422, error: 'PASSWORD_REFUSED' })
      const { fields } = (body as { data: { fields: { path: string; rule: string; message: string }[] } }).data
      expect(fields.map(({ rule }) => rule)).toEqual(rules)
      expect(fields.every(({ path }) => path === door.field)).toBe(true)
      expect(JSON.stringify(body)).not.toContain(password)
    }
    expect(await hashNow()).toBe(owner.user.passwordHash)
  })

  it('AUT-11 says the words of the spec', async () => {
    const { body } = await set('Ab1!efghijk')
    const field = { path: door.field, rule: 'length', message: 'must be at least 12 characters' }
    expect(body).toMatchObject({ data: { fields: [field] } })
  })

  it('AUT-11 must not be the email, in any case or with spaces around it', async () => {
    const { loginName } = owner.user
    for (const password of [loginName, loginName.toUpperCase(), ` ${loginName.replace('m', 'M')} `]) {
      const { error, body } = await set(password)
      expect(error).toBe('PASSWORD_REFUSED')
      expect(JSON.stringify(body)).toContain('"rule":"not_login_name"')
    }
  })

  it('AUT-12 may have 128 characters of any script, none of which is dropped', async () => {
    for (const password of [`Aa1${'🔒'.repeat(125)}`, `Aa1!${'xyz'.repeat(41)}~`]) {
      expect((await set(password)).status).toBe(200)
      expect(await canLogIn([...password].slice(0, 127).join(''))).toBe(false)
      expect(await canLogIn(password)).toBe(true)
      owner.password = password
    }
  })

  it('AUT-13 must not be a common one, nor the name of the merchant', async () => {
    for (const password of ['Password1234!', 'Kopi & Grain Pte. Ltd.2026!', 'KopiGrain2026!', 'Voucher-Portal-1']) {
      const { status, error, body } = await set(password)
      expect({ status, error }).toEqual({ status: 422, error: 'PASSWORD_TOO_COMMON' })
      const field = { path: door.field, rule: 'common', message: 'must not be a common password' }
      expect(body).toMatchObject({ data: { fields: [field] } })
    }
    expect(await hashNow()).toBe(owner.user.passwordHash)
  })

  it('AUT-14 must not be one of the last three, the current one included; the fourth may come back', async () => {
    const [first, second, third, fourth] = [PASSWORD, 'Second-Kettle-22!', 'Third-Ladder-333!', 'Fourth-Marble-4444!']
    for (const password of [second, third, fourth]) {
      server.clock.advance({ minutes: 1 })
      expect((await set(password)).status).toBe(200)
      owner.password = password
    }
    for (const password of [second, third, fourth]) {
      const { status, error, body } = await set(password)
      expect({ status, error }).toEqual({ status: 422, error: 'PASSWORD_REUSED' })
      const field = { path: door.field, rule: 'reused', message: 'must not be one of the last 3 used' }
      expect(body).toMatchObject({ data: { fields: [field] } })
    }
    expect((await set(first)).status).toBe(200)
    const kept = await db().select().from(passwordHistory).where(eq(passwordHistory.userId, owner.user.id))
    expect(kept).toHaveLength(2)
  })

  it('that is set replaces the old one, and is dated', async () => {
    expect((await set(NEW_PASSWORD)).status).toBe(200)
    expect(await canLogIn(PASSWORD)).toBe(false)
    expect(await canLogIn(NEW_PASSWORD)).toBe(true)
    const [row] = await db().select().from(appUser).where(eq(appUser.id, owner.user.id))
    expect(row!.passwordChangedAt).toEqual(server.clock.now())
  })
})
