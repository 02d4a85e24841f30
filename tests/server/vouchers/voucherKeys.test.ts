import { randomBytes } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { voucherKey } from '../../../server/db/schema/vouchers.ts'
import { readCommand } from '../../../server/desk/readCommand.ts'
import { runCommand } from '../../../server/desk/runCommand.ts'
import { sealingKeyOf } from '../../../server/secrets/secrets.ts'
import { proveSigned, signingKey, signVoucher } from '../../../server/services/vouchers/voucherKeys.ts'
import type { VoucherKey } from '../../../src/contract/redemptions/signedVouchers.ts'
import { writeSignedVoucher } from '../../../src/domain/signedVouchers.ts'
import { get } from '../../support/api/portalClient.ts'
import { makeSerial } from '../../support/database/builders.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

it.beforeEach(async () => {
  await db().delete(voucherKey)
})

/** Runs a command of the desk, given as one line. Returns its output. */
async function desk(line: string, deps: object = {}): Promise<string> {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  await runCommand({ ...server.deps, ...deps, print }, readCommand(line.split(' '))!)
  return printed.join('\n')
}

const keys = async () => (await get<VoucherKey[]>(ask, '/api/voucher/keys')).data

const facts = (key: number) => ({
  key,
  serial: makeSerial(),
  denomination_cents: 1_000,
  expires_on: '2027-06-30',
})

async function signedVoucher() {
  const key = await signingKey(server.deps)
  const voucher = facts(key.id)
  return { voucher, code: signVoucher(key, voucher) }
}

const OTHER_SECRETS = { secrets: { sealingKey: sealingKeyOf('another secret of thirty-two bytes') } }

describe('the keys that sign vouchers', () => {
  it('are made, made anew and ended by the desk, and everybody may read those that prove', async () => {
    expect(await keys()).toEqual([])
    expect(await desk('list-keys')).toBe('There is no key. First: make-key')
    expect(await desk('make-key')).toContain('Key 1 signs vouchers from now on.')
    expect(await desk('make-key')).toBe(
      'Key 2 signs vouchers from now on. A till learns the key when it next reaches a server.\nVouchers that key 1 has signed stay good.',
    )
    const key = expect.stringMatching(/^[\w-]{43}$/) as string
    expect(await keys()).toEqual([
      { id: 1, public_key: key },
      { id: 2, public_key: key },
    ])
    await desk('end-key 1')
    expect(await keys()).toEqual([{ id: 2, public_key: key }])
    const listed = await desk('list-keys')
    expect(listed).toMatch(/^1 .*: proves nothing any more$/m)
    expect(listed).toMatch(/^2 .* signs$/m)
  })

  it('are ended once, and then another one may be made', async () => {
    await desk('make-key')
    await desk('end-key 1')
    await expect(signingKey(server.deps)).rejects.toMatchObject({ why: 'no key' })
    await expect(desk('end-key 1')).rejects.toThrow('This key is ended already.')
    await expect(desk('end-key 7')).rejects.toThrow('There is no such key. list-keys shows them.')
    expect(await desk('make-key')).toContain('Key 2 signs')
  })

  it('come one after the other when the desk is in a hurry', async () => {
    await desk('make-key')
    await Promise.all([desk('make-key'), desk('make-key'), desk('make-key')])
    const stored = await db().select().from(voucherKey).orderBy(asc(voucherKey.id))
    expect(stored.map(({ id, rotatedAt }) => [id, rotatedAt !== null])).toEqual([
      [1, true],
      [2, true],
      [3, true],
      [4, false],
    ])
  })

  it('are written down in the activity log, each act with its key', async () => {
    await desk('make-key')
    await desk('make-key')
    await desk('end-key 1')
    const ofKeys = eq(activity.subjectType, 'voucher_key')
    const written = await db().select().from(activity).where(ofKeys).orderBy(asc(activity.id))
    expect(written.slice(-4).map(({ action, subjectName, actor }) => [action, subjectName, actor])).toEqual([
      ['voucher_key.made', 'key 1', 'Provider'],
      ['voucher_key.rotated', 'key 1', 'Provider'],
      ['voucher_key.made', 'key 2', 'Provider'],
      ['voucher_key.ended', 'key 1', 'Provider'],
    ])
  })

  it('have a private half that the database alone does not tell, and that no other row opens', async () => {
    await desk('make-key')
    await desk('make-key')
    await expect(signingKey({ ...server.deps, ...OTHER_SECRETS })).rejects.toMatchObject({ why: 'other secrets' })
    expect(await desk('list-keys', OTHER_SECRETS)).toContain('CANNOT SIGN')
    const [first] = await db().select().from(voucherKey).where(eq(voucherKey.id, 1))
    await db().update(voucherKey).set({ sealedPrivateKey: first!.sealedPrivateKey }).where(eq(voucherKey.id, 2))
    await expect(signingKey(server.deps)).rejects.toMatchObject({ why: 'other secrets' })
    expect(await desk('make-key')).toContain('Key 3 signs')
  })

  it('are not made by a desk without the secrets of the servers, which could never open them', async () => {
    await expect(desk('make-key', { secrets: undefined })).rejects.toThrow(
      'set JWT_SECRET or DATA_DIR as on the servers',
    )
    expect(await keys()).toEqual([])
  })
})

describe('a signed voucher', () => {
  it('is proved by the key that signed it, rotated or not, until that is ended', async () => {
    await desk('make-key')
    const { voucher, code } = await signedVoucher()
    expect(await proveSigned(server.deps, code)).toMatchObject(voucher)
    await desk('make-key')
    expect(await proveSigned(server.deps, code.toLowerCase())).toMatchObject(voucher)
    await desk('end-key 1')
    expect(await proveSigned(server.deps, code)).toBeUndefined()
  })

  it('is refused when it is altered in any of its characters, moved to another key, or no signed voucher', async () => {
    await desk('make-key')
    await desk('make-key')
    const { voucher, code } = await signedVoucher()
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === '0' ? '1' : '0'
      expect(await proveSigned(server.deps, code.slice(0, at) + other + code.slice(at + 1))).toBeUndefined()
    }
    const signature = randomBytes(64)
    expect(await proveSigned(server.deps, writeSignedVoucher({ ...voucher, key: 9 }, signature))).toBeUndefined()
    expect(await proveSigned(server.deps, voucher.serial)).toBeUndefined()
    const { signature: real } = (await proveSigned(server.deps, code))!
    for (const altered of [{ key: 1 }, { denomination_cents: 2_000 }, { expires_on: '2030-01-01' }]) {
      expect(await proveSigned(server.deps, writeSignedVoucher({ ...voucher, ...altered }, real))).toBeUndefined()
    }
  })
})
