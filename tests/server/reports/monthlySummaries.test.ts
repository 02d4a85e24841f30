import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect } from 'vitest'
import { background } from '../../../server/background/background.ts'
import { startMonthlySummaries } from '../../../server/background/scheduledJobs.ts'
import { mailOutbox } from '../../../server/db/schema/mailOutbox.ts'
import { organisation } from '../../../server/db/schema/organisations.ts'
import { monthlySummary } from '../../../server/db/schema/reports.ts'
import type { Deps } from '../../../server/Deps.ts'
import { sendDueMail } from '../../../server/mail/mailSender.ts'
import {
  fileTransport,
  MailUndeliverable,
  type MailTransport,
  type WrittenMail,
} from '../../../server/mail/MailTransport.ts'
import type { Profile } from '../../../src/contract/profile.ts'
import { monthClosesAt } from '../../../src/domain/months.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  type LedgerEntry,
  type Merchant,
} from '../../support/database/builders.ts'
import { readWorkbook } from '../../support/reports/reportClient.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

beforeEach(() => server.database.reset())

const AUDIT = 'audit@summary.example'
const BOOKS = 'books@summary.example'
const CONTACT = 'contact@summary.example'

/** Updates the summaries, as a server does at its start and every ten minutes after. */
async function start(deps: Deps = server.deps): Promise<void> {
  const work = background(server.log)
  const stop = startMonthlySummaries({ ...deps, background: work })
  await work.settled()
  stop()
}

async function makeSubscriber(recipients = [AUDIT, BOOKS], contactEmail = CONTACT): Promise<Merchant> {
  const merchant = await makeMerchant(db())
  await db().update(organisation).set({ contactEmail }).where(eq(organisation.id, merchant.organisation.id))
  await wants(merchant, recipients)
  return merchant
}

const wants = (merchant: Merchant, recipients: string[]) =>
  db()
    .update(organisation)
    .set({ summaryEnabled: recipients.length > 0, summaryRecipients: recipients })
    .where(eq(organisation.id, merchant.organisation.id))

it('mails last month to every recipient, with the report, when its last upload has had 30 hours', async () => {
  server.clock.set('2026-11-01T21:59:59Z')
  const merchant = await makeSubscriber()
  const till = await makePosUser(db(), merchant)
  await makeRedemption(db(), till, '2026-09-30T15:59:59.999Z', { denominationCents: 70_000 })
  await makeRedemption(db(), till, '2026-09-30T16:00:00Z', { denominationCents: 1_000 })
  await makeRedemption(db(), till, '2026-10-31T15:59:59.999Z', { denominationCents: 1_000 })
  await makeRedemption(db(), till, '2026-10-31T16:00:00Z', { denominationCents: 90_000 })
  await start()
  const subject = (month: string) => `Monthly summary, ${month}: ${merchant.organisation.name}`
  expect((await mailsTo(db(), AUDIT)).map((mail) => mail.subject)).toEqual([subject('Sep 2026')])

  server.clock.set('2026-11-01T22:00:00Z')
  await start()
  const [, mail] = await mailsTo(db(), AUDIT)
  expect(mail).toMatchObject({ subject: subject('Oct 2026'), attachmentName: 'Monthly Report, 2026-10.xlsx' })
  expect(mail?.text).toContain(`${merchant.organisation.name} redeemed 2 vouchers worth $20.00 in Oct 2026.`)
  const [sheet = []] = await readWorkbook(mail!.attachment!)
  expect(sheet.at(-1)?.slice(1)).toEqual([merchant.branch.name, 10, 2, 20, 0])
  expect(await mailsTo(db(), BOOKS)).toHaveLength(2)
})

it('goes to the contact address too, or to the login where there is none, and once to an address that is both', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const office = 'office@summary.example'
  const merchant = await makeSubscriber([])
  const values = { summaryEnabled: true, contactEmail: office, summaryRecipients: [AUDIT, office] }
  await db().update(organisation).set(values).where(eq(organisation.id, merchant.organisation.id))
  const bare = await makeSubscriber([])
  await db()
    .update(organisation)
    .set({ summaryEnabled: true, contactEmail: null })
    .where(eq(organisation.id, bare.organisation.id))
  await start()
  for (const to of [office, AUDIT, bare.main.loginName]) expect(await mailsTo(db(), to)).toHaveLength(1)
  expect(await mailsTo(db(), merchant.main.loginName)).toEqual([])
  expect(await db().select().from(monthlySummary).orderBy(monthlySummary.mails)).toMatchObject([
    { mails: 1 },
    { mails: 2 },
  ])
})

it('mails once, however many servers start at the same time and however often', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  await makeSubscriber()
  await makeSubscriber(['other@summary.example'])
  await Promise.all([start(), start(), start()])
  await start()
  for (const to of [AUDIT, BOOKS, 'other@summary.example']) expect(await mailsTo(db(), to)).toHaveLength(1)
  expect(server.log.events.filter(({ event }) => event.endsWith('_failed'))).toEqual([])
})

it('catches up later in the month when no server ran on the 2nd', async () => {
  server.clock.set('2026-11-17T03:00:00Z')
  await makeSubscriber()
  await start()
  expect((await mailsTo(db(), AUDIT)).map(({ month }) => month)).toEqual(['2026-10'])
})

it('leaves those in peace who did not want it on the 2nd, until the next', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const merchant = await makeSubscriber([])
  await start()
  await wants(merchant, [AUDIT])
  server.clock.set('2026-11-15T00:00:00Z')
  await start()
  expect(await mailsTo(db(), AUDIT)).toEqual([])
  server.clock.set('2026-12-02T00:00:00Z')
  await start()
  expect((await mailsTo(db(), AUDIT)).map(({ month }) => month)).toEqual(['2026-11'])
})

it('goes to the others when the report of one cannot be made, and to that one with the next round', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const merchant = await makeSubscriber()
  await makeSubscriber(['other@summary.example'])
  let left = 1
  const openReading = () => (left-- > 0 ? Promise.reject(new Error('no connection')) : server.database.openReading())
  await start({ ...server.deps, database: { ...server.database, openReading } })
  const claimed = and(eq(monthlySummary.organisationId, merchant.organisation.id), eq(monthlySummary.month, '2026-10'))
  expect(await db().select().from(monthlySummary).where(claimed)).toEqual([])
  expect(await mailsTo(db(), 'other@summary.example')).toHaveLength(1)
  await start()
  expect(await mailsTo(db(), AUDIT)).toHaveLength(1)
})

it('says in the next one what came in late for the months before, voided ones left out', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const merchant = await makeSubscriber([], AUDIT)
  await wants(merchant, [AUDIT])
  const till = await makePosUser(db(), merchant)
  const recorded = (redeemedAt: string, recordedAt: string, row: Partial<LedgerEntry> = {}) =>
    makeRedemption(db(), till, redeemedAt, {
      denominationCents: 1_000,
      entry: { recordedAt: new Date(recordedAt), ...row },
    })
  await recorded('2026-10-31T15:00:00Z', '2026-11-01T15:00:00Z')
  await start()
  await recorded('2026-09-30T15:00:00Z', '2026-11-03T00:00:00Z')
  await recorded('2026-10-31T15:00:00Z', '2026-11-02T01:00:00Z')
  await recorded('2026-10-31T15:10:00Z', '2026-11-30T01:00:00Z')
  const voidedAt = new Date('2026-11-30T01:01:00Z')
  await recorded('2026-10-31T15:20:00Z', '2026-11-30T01:00:00Z', { voidedAt, voidedBy: till.id })
  await recorded('2026-11-20T15:00:00Z', '2026-11-20T15:00:00Z')
  server.clock.set('2026-12-02T00:00:00Z')
  await start()
  server.clock.set('2027-01-02T00:00:00Z')
  await start()
  const [october, november, december] = (await mailsTo(db(), AUDIT)).map(({ text }) => text ?? '')
  expect(october).toContain('redeemed 1 voucher worth $10.00 in Oct 2026.')
  expect(november).toContain('redeemed 1 voucher worth $10.00 in Nov 2026.')
  expect(november).toContain(
    'It contains $30.00 of corrections to earlier months (Sep 2026: 1 voucher, $10.00; Oct 2026: 2 vouchers, $20.00).',
  )
  for (const other of [october, december]) expect(other).not.toContain('corrections')
})

describe('the figures', () => {
  const linesOf = (text: string | null | undefined) => (text ?? '').split('\n')

  /** Makes redemptions of `cents` at a branch of the merchant, in October unless said otherwise. */
  async function redeem(merchant: Merchant, name: string, amounts: number[], at = '2026-10-10T00:00:00Z') {
    const branch = await makeBranch(db(), merchant.organisation, { name })
    const till = await makePosUser(db(), { ...merchant, branch })
    for (const denominationCents of amounts) await makeRedemption(db(), till, at, { denominationCents })
  }

  it('compare the month with the one before', async () => {
    const merchant = await makeSubscriber([AUDIT], AUDIT)
    const told: string[] = []
    for (const [month, amounts] of [
      ['2026-08', []],
      ['2026-09', [1_000, 1_050]],
      ['2026-10', [1_000]],
      ['2026-11', [500, 500]],
      ['2026-12', [2_000]],
      ['2027-01', []],
    ] as const) {
      await redeem(merchant, 'Bedok', [...amounts], `${month}-10T00:00:00Z`)
      server.clock.set(monthClosesAt(month))
      await start()
      told.push(
        linesOf((await mailsTo(db(), AUDIT)).at(-1)?.text).find((line) => line.includes('the month before')) ?? '',
      )
    }
    expect(told).toEqual([
      'In Jul 2026, the month before, there were none.',
      'In Aug 2026, the month before, there were none.',
      'That is $10.50 less than in Sep 2026, the month before (2 vouchers worth $20.50).',
      'That is as much as in Oct 2026, the month before (1 voucher worth $10.00).',
      'That is $10.00 more than in Nov 2026, the month before (2 vouchers worth $10.00).',
      'That is $20.00 less than in Dec 2026, the month before (1 voucher worth $20.00).',
    ])
  })

  it('are by branch, the largest first, and add up to the report to the cent', async () => {
    const merchant = await makeSubscriber([AUDIT], AUDIT)
    await redeem(merchant, 'Bedok', [1_000, 333])
    await redeem(merchant, 'Tampines, level 2', [5_001])
    await redeem(merchant, 'Closed', [9_900], '2026-09-10T00:00:00Z')
    server.clock.set('2026-11-02T00:00:00Z')
    await start()
    const [mail] = await mailsTo(db(), AUDIT)
    expect(mail?.text).toContain(
      '\n\nTampines, level 2: 1 voucher, $50.01\nBedok: 2 vouchers, $13.33\nTotal: 3 vouchers, $63.34\n\n',
    )
    expect(mail?.text).toContain(' redeemed 3 vouchers worth $63.34 in Oct 2026.')
    const [sheet = []] = await readWorkbook(mail!.attachment!)
    const amounts = sheet.filter(([month]) => month === '2026-10' || month instanceof Date).map((row) => Number(row[4]))
    expect(Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100)).toBe(6_334)
  })

  it('name ten branches, and add the others up', async () => {
    const merchant = await makeSubscriber([AUDIT], AUDIT)
    for (let number = 1; number <= 12; number += 1) await redeem(merchant, `Branch ${number}`, [number * 101])
    server.clock.set('2026-11-02T00:00:00Z')
    await start()
    const lines = linesOf((await mailsTo(db(), AUDIT))[0]?.text).filter((line) => /: \d+ vouchers?, \$/.test(line))
    expect(lines).toHaveLength(12)
    expect(lines[0]).toBe('Branch 12: 1 voucher, $12.12')
    expect(lines.slice(-3)).toEqual([
      'Branch 3: 1 voucher, $3.03',
      'and 2 others: 2 vouchers, $3.03',
      'Total: 12 vouchers, $78.78',
    ])
  })
})

it('greets the contact, and nobody else, by name', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const merchant = await makeSubscriber([AUDIT], 'Office@summary.example')
  await db()
    .update(organisation)
    .set({ contactName: 'Nadia Rahim' })
    .where(eq(organisation.id, merchant.organisation.id))
  await start()
  expect((await mailsTo(db(), 'office@summary.example'))[0]?.text).toContain('\n\nHello Nadia Rahim,\n\n')
  expect((await mailsTo(db(), AUDIT))[0]?.text).not.toContain('Hello')
})

it('sends the report as an attachment, and keeps no copy of it', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  await makeSubscriber([AUDIT], AUDIT)
  await start()
  const written: WrittenMail[] = []
  const transport = fileTransport(
    server.files,
    { mailFrom: 'portal@test.example', publicUrl: 'https://portal.example' },
    (mail) => written.push(mail),
  )
  await sendDueMail(server.deps, transport)
  transport.close()
  const file = readdirSync(server.files).find((name) => name.endsWith('.eml')) ?? ''
  const source = readFileSync(join(server.files, file), 'utf8')
  expect(source).toContain('List-Unsubscribe: <https://portal.example/profile>')
  expect(written).toMatchObject([
    {
      to: AUDIT,
      subject: expect.stringMatching(/^Monthly summary, Oct 2026: ./),
      link: 'http://127.0.0.1:8080/reports',
    },
  ])
  expect(await db().select().from(mailOutbox)).toMatchObject([
    { sentAt: server.clock.now(), text: null, attachment: null, attachmentName: null },
  ])
})

it('stands in the profile: to whom it goes, and what went out when, waits or failed', async () => {
  server.clock.set('2026-11-02T00:00:00Z')
  const merchant = await makeSubscriber([AUDIT, 'wrong@summary.example'], BOOKS)
  await makeSubscriber(['other@summary.example'])
  await start()
  const queuedAt = server.clock.now()
  const refused = new MailUndeliverable('', { cause: { responseCode: 550 } })
  const transport: MailTransport = {
    async send({ to }) {
      if (to === 'wrong@summary.example') throw refused
      if (to === AUDIT) throw new Error('busy')
    },
    close: () => undefined,
  }
  server.clock.advance({ minutes: 1 })
  await sendDueMail(server.deps, transport)
  const main = await loggedInClient(ask, merchant.main)
  const { data } = await main.get<Profile>(`/merchant/get/${merchant.main.id}`)
  const one = (to: string, state: string, at: Date) => ({ month: '2026-10', to, state, at: at.toISOString() })
  const sentAt = new Date(queuedAt.getTime() + 60_000)
  expect(data.monthly_summary).toEqual({
    enabled: true,
    recipients: [AUDIT, 'wrong@summary.example'],
    to: [BOOKS, AUDIT, 'wrong@summary.example'],
    mails: [
      one(AUDIT, 'waiting', queuedAt),
      one(BOOKS, 'sent', sentAt),
      one('wrong@summary.example', 'failed', queuedAt),
    ],
  })
})
