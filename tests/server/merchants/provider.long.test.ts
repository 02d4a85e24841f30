import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import type { Database, Db } from '../../../server/db/engine/Database.ts'
import { mfa } from '../../../server/db/schema/accounts.ts'
import { activity } from '../../../server/db/schema/activity.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { hold } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { requestReview } from '../../../server/services/merchants/reviews.ts'
import { hasValidCheckDigit } from '../../../src/contract/vouchers.ts'
import { enrolMfa } from '../../support/accounts/enrolMfa.ts'
import {
  makeHold,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { runCommandLine, type Output } from '../../support/server/runCommandLine.ts'
import { silentLog } from '../../support/server/silentLog.ts'

const SETTINGS = {
  publicUrl: 'http://127.0.0.1:8080',
  sessionIdleMinutes: 15,
  posIdleMinutes: 240,
  providerEmail: 'provider@demo.example',
  support: { email: 'provider@demo.example', phone: null },
  mfa: 'optional',
} as const

let folder: string
let env: Record<string, string>
/** The database of the server that runs beside the commands. */
let database: Database
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-desk-'))
  env = { DATA_DIR: folder }
  database = await openEmbedded(folder, silentLog, { by: 'server' })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const withDatabase = <T>(work: (database: Database) => Promise<T>): Promise<T> => work(database)

const provider = (args: string[], more: Record<string, string> = {}): Promise<Output> =>
  runCommandLine('provider', args, { ...env, ...more })

/** Makes a merchant whose onboarding waits for a decision. */
const waiting = (name: string): Promise<Merchant> =>
  withDatabase(async ({ db }) => {
    const merchant = await makeMerchant(db, 'HRP Merchant', 'Pending Authorisation')
    const { id: organisationId } = merchant.organisation
    await db.update(organisation).set({ name }).where(eq(organisation.id, organisationId))
    await db.transaction((tx: Db) =>
      requestReview(
        tx,
        { settings: SETTINGS, clock: { now: () => new Date() } },
        {
          organisationId,
          subject: 'onboarding',
          snapshot: { application: null, onboarding: null },
          submittedBy: merchant.main.loginName,
        },
      ),
    )
    return merchant
  })

const statusOf = ({ organisation: { id } }: Merchant) =>
  withDatabase(async ({ db }) => (await db.select().from(organisation).where(eq(organisation.id, id)))[0]?.status)

/** Reads the mails to `address` in the mail folder, newest last. */
const mailsTo = (address: string) =>
  readdirSync(join(folder, 'outbox'))
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => readFileSync(join(folder, 'outbox', name), 'utf8'))
    .filter((mail) => mail.includes(`To: ${address}`))

describe("the provider's desk", () => {
  it('lists what waits, approves and rejects it, tells the merchant, and writes it down', async () => {
    const [good, bad] = [await waiting('Good \u001B[31mJuice'), await waiting('Bad Juice')]
    const listed = await provider(['list', '--pending'])
    expect(listed).toMatchObject({ code: 0, err: '' })
    expect(listed.out).toContain(good.organisation.merchantId)
    expect(listed.out).not.toContain('\u001B')

    const approved = await provider(['approve', good.organisation.merchantId])
    expect(approved).toMatchObject({ code: 0, out: expect.stringContaining('now Active.') as string })
    expect(await statusOf(good)).toBe('Active')
    expect(mailsTo(good.main.loginName).at(-1)).toContain('Subject: Account authorised')

    const rejected = await provider(['reject', bad.organisation.merchantId, '--reason', 'No such company'])
    expect(rejected).toMatchObject({ code: 0, out: expect.stringContaining('now Authorisation Rejected.') as string })
    expect(mailsTo(bad.main.loginName).at(-1)).toContain('No such company')
    expect(await provider(['approve', bad.organisation.merchantId])).toMatchObject({
      code: 1,
      err: 'This has already been decided.\n',
    })
    const log = await withDatabase(({ db }) =>
      db.select().from(activity).where(eq(activity.organisationId, bad.organisation.id)),
    )
    expect(log).toMatchObject([{ actor: 'Provider', via: 'command line', action: 'review.rejected' }])

    const left = await provider(['list', '--pending'])
    expect(left.out).not.toContain(good.organisation.merchantId)
    expect((await provider(['list'])).out).toContain(good.organisation.merchantId)
    const shown = (await provider(['show', bad.organisation.merchantId])).out
    expect(shown).toContain(`${bad.organisation.merchantId}, is Authorisation Rejected.\n`)
    expect(shown).toMatch(/It was rejected on \d+ \w+ \d{4}, \d\d:\d\d: No such company\n/)
  }, 120_000)

  it('issues vouchers as CSV, and revokes what is not used', async () => {
    const order = ['issue-vouchers', '--count', '600', '--denomination', '12.50', '--expires', '2099-12-31']
    const issued = await provider(order)
    expect(issued).toMatchObject({ code: 0, err: '' })
    const [head, ...lines] = issued.out.trimEnd().split('\n')
    expect(head).toBe('Serial number,Denomination,Expires on')
    expect(lines).toHaveLength(600)
    const serials = lines.map((line) => line.split(',')[0] ?? '')
    expect(new Set(serials).size).toBe(600)
    for (const serial of serials) expect(/^2\d{12}$/.test(serial) && hasValidCheckDigit(serial)).toBe(true)
    expect(lines[0]).toMatch(/,12\.50,2099-12-31$/)
    const used = await withDatabase(async ({ db }) => {
      expect(await db.$count(voucher, eq(voucher.denominationCents, 1_250))).toBe(600)
      return makeRedemption(db, await makePosUser(db), '2026-11-20')
    })

    const [serial = ''] = serials
    expect((await provider(['revoke', serial])).out).toContain('is revoked.')
    expect((await provider(['revoke', serial])).out).toContain('was revoked already.')
    expect(await provider(['revoke', used.voucher.serial])).toMatchObject({
      code: 1,
      err: 'This voucher has already been used.\n',
    })
    const unknown = await withDatabase(async ({ db }) => {
      const made = await makeVoucher(db)
      await db.delete(voucher).where(eq(voucher.id, made.id))
      return made.serial
    })
    expect(await provider(['revoke', unknown])).toMatchObject({ code: 1 })
  }, 120_000)

  it('releases a hold with the warning, which a revocation asks for first', async () => {
    const held = await withDatabase(async ({ db }) =>
      makeHold(db, await makePosUser(db), new Date('2026-11-21T02:00:00Z')),
    )
    const { serial } = held.voucher
    const refused = await provider(['revoke', serial])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain(`release-hold ${serial}`)
    const released = await provider(['release-hold', serial])
    expect(released).toMatchObject({ code: 0, err: '' })
    expect(released.out).toContain('The hold of Till 1 since 21 Nov 2026, 10:00')
    expect(released.out).toContain('This till may have redeemed it offline. If so, its upload will be refused.')
    expect((await provider(['release-hold', serial])).out).toContain('is not on hold.')
    const [row, log] = await withDatabase(async ({ db }) => [
      await db.select().from(hold).where(eq(hold.id, held.id)),
      await db.select().from(activity).where(eq(activity.subjectId, held.voucher.id)),
    ])
    expect(row).toMatchObject([{ became: 'released by provider' }])
    expect(log).toMatchObject([{ actor: 'Provider', action: 'hold.released' }])
  }, 120_000)

  it('VCH-13: proves that ledger and used vouchers are the same money, and fails when they are not', async () => {
    const till = await withDatabase(async ({ db }) => {
      const made = await makePosUser(db)
      await makeRedemption(db, made, '2026-11-20', { denominationCents: 1_230 })
      return made
    })
    const agreed = await provider(['check-ledger'])
    expect(agreed).toMatchObject({ code: 0, err: '' })
    expect(agreed.out).toContain('They agree, one to one.')
    expect(agreed.out).toMatch(/No seal yet\.\nNot sealed yet: \d+ redemptions\./)
    const { voucher: lost } = await withDatabase(({ db }) => makeRedemption(db, till, '2026-11-20'))
    const free = { status: 'Active', usedAt: null, organisationId: null, branchId: null } as const
    await withDatabase(({ db }) => db.update(voucher).set(free).where(eq(voucher.id, lost.id)))
    const disagreed = await provider(['check-ledger'])
    expect(disagreed).toMatchObject({ code: 1, out: '' })
    expect(disagreed.err).toContain('Redemptions without a used voucher: 1')
    expect(disagreed.err).not.toContain('    at ')
  }, 120_000)

  it('removes the authenticator app of somebody who has lost it, and tells them', async () => {
    const { main } = await withDatabase(async ({ db }) => {
      const merchant = await makeMerchant(db)
      await enrolMfa(db, merchant.main)
      return merchant
    })
    expect(await provider(['reset-mfa', main.loginName])).toMatchObject({ code: 0 })
    expect(await withDatabase(({ db }) => db.$count(mfa, eq(mfa.userId, main.id)))).toBe(0)
    expect(mailsTo(main.loginName).at(-1)).toContain('Subject: Authenticator app removed')
    expect(await provider(['reset-mfa', main.loginName])).toMatchObject({ code: 1 })
  }, 60_000)

  it('moves the login of a main account by a link to its new email', async () => {
    const { main } = await withDatabase(({ db }) => makeMerchant(db))
    const to = `moved-${main.loginName}`
    expect(await provider(['change-email', main.loginName, '--to', to])).toMatchObject({ code: 0 })
    expect(mailsTo(to).at(-1)).toContain('Subject: New login email to confirm: ')
    expect(mailsTo(main.loginName).at(-1)).toContain('Subject: Login email about to change: ')
    expect(await provider(['change-email', 'nobody@test.example', '--to', to])).toMatchObject({ code: 1 })
  }, 60_000)

  it('says in a line that its database is away', async () => {
    // Port 1 is reserved, and nothing listens on it.
    const away = {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      JWT_SECRET: 'x'.repeat(32),
      PASSWORD_KEY: 'not looked at',
    }
    expect(await provider(['check-ledger'], away)).toMatchObject({
      code: 1,
      err: 'The database cannot be reached or used: connect ECONNREFUSED 127.0.0.1:1.\n',
    })
  })

  it('says in a line what is wrong with a command, and does nothing', async () => {
    const wrong: [string[], string][] = [
      [['aprove', '100500'], 'There is no command "aprove". Do you mean'],
      [['approve', '999999999'], 'There is no merchant 999999999.'],
      [
        ['issue-vouchers', '--count', '5', '--denomination', '10', '--expires', '2020-01-01'],
        'expires must not be in the past',
      ],
    ]
    for (const [args, words] of wrong) {
      const said = await provider(args)
      expect(said).toMatchObject({ code: 1, out: '' })
      expect(said.err).toContain(words)
      expect(said.err).not.toContain('    at ')
    }
    const elsewhere = await provider(['list'], { DATA_DIR: join(folder, 'nowhere'), DATABASE_URL: '' })
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining('There is no database') as string })
  }, 120_000)

  it('has a PostgreSQL of its own while no server runs, and ends it', async () => {
    await database.close()
    expect(await provider(['list'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Bad Juice') as string,
    })
    expect(existsSync(join(folder, 'postgres/data/postmaster.pid'))).toBe(false)
    database = await openEmbedded(folder, silentLog, { by: 'server' })
  })
})
