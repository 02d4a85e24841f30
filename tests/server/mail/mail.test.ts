import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { nobody, type LoginUser } from '../../../server/db/accounts/loginUsers.ts'
import type { Db } from '../../../server/db/engine/Database.ts'
import { claimMail, queueMail, queueMails, type NewMail, type WaitingMail } from '../../../server/db/mailOutbox.ts'
import { mailOutbox } from '../../../server/db/schema/mailOutbox.ts'
import { DARK, LIGHT } from '../../../server/mail/mailPage.ts'
import { sendDueMail, startMailSender } from '../../../server/mail/mailSender.ts'
import {
  fileTransport,
  smtpTransport,
  type MailTransport,
  type WrittenMail,
} from '../../../server/mail/MailTransport.ts'
import { accountExistsMail } from '../../../server/mail/merchantMails.ts'
import { activationMail, resetMail } from '../../../server/mail/passwordLinkMails.ts'
import {
  accountLockedMail,
  mfaChangedMail,
  newLoginMail,
  passwordChangedMail,
} from '../../../server/mail/securityMails.ts'
import { dark, light } from '../../../tailwind.config.ts'
import { checkMail, mailsTo } from '../../support/api/mailbox.ts'
import { post } from '../../support/api/portalClient.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { sentStatements } from '../../support/database/sentStatements.ts'
import { faultProxy } from '../../support/faults/faultProxy.ts'
import { freePort } from '../../support/server/freePort.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import { recordedLog } from '../../support/server/silentLog.ts'

const FROM = 'no-reply@portal.example'

const TO = 'main@test.example'

const WITHOUT_TLS: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] }

let mailServer: MailServer | undefined

beforeEach(() => server.database.reset())

afterEach(async () => {
  for (const transport of opened.splice(0)) transport.close()
  await mailServer?.close()
  mailServer = undefined
})

const now = () => server.clock.now()

const addressOf = (port: number) => `smtp://127.0.0.1:${port}`
const SENDER = { mailFrom: FROM, publicUrl: 'https://portal.example' }

const opened: MailTransport[] = []
function smtp(port: number): MailTransport {
  const transport = smtpTransport(addressOf(port), SENDER)
  opened.push(transport)
  return transport
}

const USER: LoginUser = {
  ...nobody('merchant', TO),
  passwordHash: 'hash',
  organisationName: 'Kopi & Grain',
  contactName: 'Nadia Rahim',
}

const mailOf = (given: Partial<NewMail> = {}): NewMail => ({
  ...resetMail(server.deps.settings, USER, 'x'.repeat(43), now()),
  ...given,
})

const put = (given?: Partial<NewMail>) => queueMail(db(), mailOf(given), now())

const outbox = () => db().select().from(mailOutbox)

describe('the outbox', () => {
  it('hands a mail to the mail server: plain text and HTML, dated, with an id of its own', async () => {
    mailServer = await startMailServer()
    await put()
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(mailServer.received).toHaveLength(1)
    const { to, source } = mailServer.received[0]!
    expect(to).toEqual([TO])
    const [sent] = await outbox()
    expect(source).toContain(`Message-ID: <${sent!.id}@portal.example>`)
    expect(source).toContain('Subject: Set a new password: Kopi & Grain')
    expect(source).toMatch(/^From: Merchant portal <no-reply@portal\.example>/m)
    expect(source).toContain('Content-Type: text/plain; charset=utf-8')
    expect(source).toContain('Content-Type: text/html; charset=utf-8')
    expect(source).toContain(now().toUTCString().replace('GMT', '+0000'))
  })

  it('keeps nothing of what a sent mail said', async () => {
    mailServer = await startMailServer()
    await put()
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(await outbox()).toMatchObject([{ sentAt: now(), text: null, html: null, attempts: 1, lastError: null }])
  })

  it('FLT-12: tries again for an hour that the mail server is down, later each time, and sends once when it is up', async () => {
    const port = await freePort()
    const up = new Date(now().getTime() + 3_600_000)
    await put({ giveUpAt: new Date(up.getTime() + 3_600_000) })
    const waits: number[] = []
    while (now() < up) {
      await sendDueMail(server.deps, smtp(port))
      const { nextAt, lastError } = (await outbox())[0]!
      expect(lastError).toMatch(/^(ECONNREFUSED|ESOCKET)/)
      waits.push(nextAt.getTime() - now().getTime())
      server.clock.set(nextAt)
    }
    expect(waits.length).toBeGreaterThan(8)
    for (const [index, wait] of waits.entries()) {
      const base = Math.min(5_000 * 2 ** index, 15 * 60_000)
      expect(wait).toBeGreaterThanOrEqual(base * 0.75)
      expect(wait).toBeLessThanOrEqual(base * 1.25)
    }
    mailServer = await startMailServer(port)
    for (let round = 0; round < 3; round += 1) {
      await sendDueMail(server.deps, smtp(port))
      server.clock.advance({ minutes: 20 })
    }
    expect(mailServer.received).toHaveLength(1)
  })

  it('names in the log what keeps it from the mail server, as a certificate that nobody knows', async () => {
    mailServer = await startMailServer(0, { disabledCommands: ['AUTH'], ...selfSigned() })
    await put()
    const log = recordedLog()
    await sendDueMail({ ...server.deps, log }, smtp(mailServer.port))
    const facts = expect.objectContaining({ message: expect.stringContaining('certificate') }) as object
    expect(log.events).toEqual([{ level: 'warn', event: 'mail_failed', facts }])
    server.clock.advance({ minutes: 20 })
    const plain = smtpTransport(`${addressOf(mailServer.port)}?ignoreTLS=true`, SENDER)
    await sendDueMail({ ...server.deps, log }, plain)
    plain.close()
    expect(mailServer.received).toHaveLength(1)
  })

  it('is emptied once by several servers at the same time', async () => {
    mailServer = await startMailServer()
    const addresses = Array.from({ length: 30 }, (_, index) => `person-${index}@test.example`)
    for (const to of addresses) await put({ to })
    const { port } = mailServer
    await Promise.all(Array.from({ length: 4 }, () => sendDueMail(server.deps, smtp(port))))
    const sorted = (list: string[]) => list.toSorted((a, b) => a.localeCompare(b))
    expect(sorted(mailServer.received.flatMap(({ to }) => to))).toEqual(sorted(addresses))
  })

  it('takes a mail over from a server that died with it in hand', async () => {
    await put()
    const dying = { send: () => new Promise<void>(() => undefined), close: () => undefined }
    void sendDueMail(server.deps, dying)
    await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ attempts: 1 }]))
    mailServer = await startMailServer()
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(mailServer.received).toHaveLength(0)
    server.clock.advance({ minutes: 2 })
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(mailServer.received).toHaveLength(1)
  })

  it('does not send a link that is dead by then, and forgets it', async () => {
    mailServer = await startMailServer()
    await put()
    server.clock.advance({ minutes: 30 })
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(mailServer.received).toEqual([])
    expect(await outbox()).toMatchObject([{ sentAt: null, text: null, html: null }])
    expect(server.log.events).toContainEqual({ level: 'warn', event: 'mail_given_up', facts: { mails: 1 } })
  })

  it('lets go of a mail that the mail server refuses for good, and goes on with the next', async () => {
    mailServer = await startMailServer()
    await put({ to: 'gone@nowhere.example' })
    await put()
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(mailServer.received.map(({ to }) => to)).toEqual([[TO]])
    expect(await mailsTo(db(), 'gone@nowhere.example')).toMatchObject([
      { sentAt: null, refusedAt: now(), lastError: 'EENVELOPE RCPT TO 550 5.1.1' },
    ])
    server.clock.advance({ minutes: 30 })
    await sendDueMail(server.deps, smtp(mailServer.port))
    expect(await mailsTo(db(), 'gone@nowhere.example')).toMatchObject([{ text: null, html: null, attempts: 1 }])
    expect(JSON.stringify(server.log.events)).not.toContain('gone@nowhere')
  })

  it('finds the newest mail by its index, however many of an import wait before it', async () => {
    const invitations = Array.from({ length: 2_000 }, () => mailOf({ kind: 'invitation' }))
    await queueMails(db(), invitations, now())
    server.clock.advance({ seconds: 1 })
    await put({ kind: 'invitation', to: 'again@test.example' })
    await db().execute(sql`ANALYZE mail_outbox`)
    let claimed: WaitingMail | undefined
    const [sent] = await sentStatements(async () => (claimed = await claimMail(db(), now())))
    expect(claimed?.to).toBe('again@test.example')
    const literal = (value: unknown) => `'${value instanceof Date ? value.toISOString() : String(value)}'`
    const text = sent!.text.replaceAll(/\$(\d+)/g, (_, place) => literal(sent!.values[Number(place) - 1]))
    const { rows } = (await db().execute(sql.raw(`EXPLAIN ${text}`))) as unknown as { rows: { 'QUERY PLAN': string }[] }
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('mail_outbox_waiting')
    expect(plan).not.toContain('Sort')
  })

  it('sends nothing of a transaction that was taken back', async () => {
    const undone = db().transaction(async (tx: Db) => {
      await queueMail(tx, mailOf(), now())
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    expect(await outbox()).toEqual([])
  })
})

describe('the sender', () => {
  it('sends when woken, without waiting for its next look, and stops when asked', async () => {
    mailServer = await startMailServer()
    const sender = startMailSender(server.deps, smtp(mailServer.port), 60_000)
    await sleep(50)
    await put()
    sender.wake()
    await vi.waitFor(() => expect(mailServer!.received).toHaveLength(1))
    await sender.stop()
    await put()
    sender.wake()
    await sleep(100)
    expect(mailServer.received).toHaveLength(1)
  })

  it('finds by itself what nobody woke it for', async () => {
    mailServer = await startMailServer()
    const sender = startMailSender(server.deps, smtp(mailServer.port), 20)
    await put()
    await vi.waitFor(() => expect(mailServer!.received).toHaveLength(1))
    await sender.stop()
  })

  it('outlives a database that is away', async () => {
    let isAway = true
    const database = {
      ...server.database,
      get db() {
        if (isAway) throw new Error('away')
        return db()
      },
    }
    mailServer = await startMailServer()
    await put()
    const sender = startMailSender({ ...server.deps, database }, smtp(mailServer.port), 20)
    await vi.waitFor(() =>
      expect(server.log.events.filter(({ event }) => event === 'mail_round_failed').length).toBeGreaterThan(1),
    )
    isAway = false
    await vi.waitFor(() => expect(mailServer!.received).toHaveLength(1))
    await sender.stop()
  })

  it('FLT-12: while the mail server says nothing at all, who asks for mail is answered at once; it goes out once when it speaks', async () => {
    const spoken = (mailServer = await startMailServer())
    const line = await faultProxy(() => spoken.port)
    line.blackHole()
    const second = 1_000
    const patience = { connectionTimeout: second, greetingTimeout: second, dnsTimeout: second, socketTimeout: second }
    const mute = smtpTransport(addressOf(line.port), SENDER, patience)
    const sender = startMailSender(server.deps, mute, 20)
    const { main } = await makeMerchant(db())
    const began = performance.now()
    const asked = await post(ask, '/api/auth/forgot_password', { email: main.loginName })
    expect(asked.status).toBe(200)
    expect(performance.now() - began).toBeLessThan(2_000)
    sender.wake()
    await vi.waitFor(async () => expect((await outbox())[0]?.lastError).toBe('ETIMEDOUT CONN'), { timeout: 15_000 })
    expect(spoken.received).toEqual([])

    await line.pass()
    server.clock.advance({ minutes: 1 })
    await vi.waitFor(() => expect(spoken.received).toHaveLength(1), { timeout: 5_000 })
    await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ text: null, lastError: null }]))
    server.clock.advance({ minutes: 20 })
    await sender.stop()
    await line.close()
    expect(spoken.received).toHaveLength(1)
  })

  it('sends a mail past another one that the mail server thinks about', async () => {
    await put({ to: 'slow@test.example' })
    const sent: string[] = []
    let think = () => undefined as void
    const transport = {
      async send({ to }: { to: string }) {
        if (to.startsWith('slow')) await new Promise<void>((resolve) => (think = resolve))
        sent.push(to)
      },
      close: () => undefined,
    }
    const sender = startMailSender(server.deps, transport, 60_000)
    await vi.waitFor(async () => expect(await outbox()).toMatchObject([{ attempts: 1 }]))
    await put()
    sender.wake()
    await vi.waitFor(() => expect(sent).toEqual([TO]))
    think()
    await sender.stop()
    expect(sent).toEqual([TO, 'slow@test.example'])
  })

  it('finishes the mails under way before it stops, and begins no other', async () => {
    for (let mails = 0; mails < 4; mails += 1) await put()
    const underWay: (() => void)[] = []
    let sent = 0
    const transport = {
      async send() {
        await new Promise<void>((resolve) => underWay.push(resolve))
        sent += 1
      },
      close: () => undefined,
    }
    const sender = startMailSender(server.deps, transport, 20)
    await vi.waitFor(() => expect(underWay).toHaveLength(3))
    const stopped = sender.stop()
    for (const handOver of underWay) handOver()
    await stopped
    expect(sent).toBe(3)
    expect((await outbox()).filter(({ sentAt }) => sentAt !== null)).toHaveLength(3)
  })
})

describe('without a mail server', () => {
  it('mail becomes a file only its owner can read, and the server tells its link', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outbox-'))
    const written: WrittenMail[] = []
    await put()
    await sendDueMail(
      server.deps,
      fileTransport(join(folder, 'outbox'), SENDER, (mail) => written.push(mail)),
    )
    const [file, ...others] = readdirSync(join(folder, 'outbox'))
    expect(others).toEqual([])
    const path = join(folder, 'outbox', file!)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toContain(`To: ${TO}`)
    const link = `http://127.0.0.1:8080/login?step=reset#token=${'x'.repeat(43)}`
    expect(written).toEqual([{ to: TO, subject: 'Set a new password: Kopi & Grain', link, file: path }])
    rmSync(folder, { recursive: true })
  })
})

describe('what a mail says', () => {
  it('begins with the mark, which travels inside the HTML and is no attachment', async () => {
    mailServer = await startMailServer()
    const attachment = { filename: 'report.xlsx', contentType: 'application/zip', content: Buffer.from('PK') }
    for (const given of [{}, { attachment }]) {
      await put(given)
      await sendDueMail(server.deps, smtp(mailServer.port))
    }
    const [without, withFile] = mailServer.received.map(({ source }) => partsOf(source))
    const alternatives = ['multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png inline']
    expect(without).toEqual(alternatives)
    expect(withFile).toEqual(['multipart/mixed', ...alternatives, 'application/zip attachment'])
    for (const { source } of mailServer.received) {
      expect(source).toContain('Content-ID: <mark@merchant-portal>')
      expect(source).toContain(readFileSync(MARK).toString('base64').slice(0, 76))
      expect(source.length).toBeLessThan(16_000)
    }
  })

  it("has the portal's icon and colours", async () => {
    expect(statSync(MARK).size).toBeLessThan(10_000)
    // After a change of the icon: sharp(ICON).resize(96).png({ palette: true, compressionLevel: 9 }).toFile(MARK)
    const pixels = (file: string) =>
      sharp(readFileSync(file)).flatten({ background: '#fff' }).resize(96).raw().toBuffer()
    const [mark, icon] = await Promise.all([pixels(MARK), pixels(ICON)])
    const difference = mark.reduce((sum, value, at) => sum + Math.abs(value - icon[at]!), 0) / icon.length
    expect(difference).toBeLessThan(2)
    for (const token of ['surface', 'text', 'text-muted', 'link', 'fill', 'border'] as const)
      expect([LIGHT[token], DARK[token]]).toEqual([light[token], dark[token]])
  })

  it('has no name of a stranger as markup or headers, and a long one is cut in the subject', () => {
    const organisationName = `<img src=x onerror="alert('1')"> & Co\r\nBcc: all@test.example`
    const user = { ...USER, organisationName, contactName: 'Nadia\nWe have moved: <b>evil</b>' }
    const at = new Date('2026-11-21T02:00:00Z')
    const mail = passwordChangedMail(server.deps.settings, user, 'main account', at)
    expect(mail.subject).toBe(`Password changed: <img src=x onerror="alert('1')"> & Co Bcc…`)
    expect(mail.text).toContain('on 21 Nov 2026, 10:00 (Singapore time)')
    expect(mail.text).toContain('\n\nHello Nadia We have moved: <b>evil</b>,\n\n')
    expect(mail.html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; Co')
    expect(mail.html).not.toContain('<img src=x')
    expect(mail.html).not.toContain('<b>')
    checkMail(mail)
  })

  it('is no text of an applicant, as long as nobody has confirmed the address', () => {
    const { settings } = server.deps
    const applicant = { ...USER, passwordHash: null }
    for (const mail of [activationMail(settings, applicant, 'x', now()), accountExistsMail(settings, applicant, now())])
      for (const form of [mail.subject, mail.text, mail.html]) expect(form).not.toMatch(/Kopi|Nadia/)
    const invited = activationMail(settings, { ...applicant, type: 'Branch Merchant' }, 'x', now())
    expect(invited.subject).toBe('Merchant portal invitation: Kopi & Grain')
  })

  it('leads to the portal, and never holds what somebody else has typed as markup', () => {
    const { settings } = server.deps
    const user = { ...USER, organisationName: '<b>Kopi</b> & Grain' }
    const caller = { device: '<i>Chrome</i>', ipAddress: '192.0.2.7' }
    const mails = [
      activationMail(settings, user, 'x'.repeat(43), now()),
      activationMail(settings, { ...user, type: 'Branch Merchant' }, 'x'.repeat(43), now()),
      newLoginMail(settings, user, caller, now()),
      accountLockedMail(settings, user, 'account', now()),
      mfaChangedMail(settings, user, 'enabled', now()),
      mfaChangedMail(settings, user, 'changed', now()),
    ]
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(mails.length)
    for (const { to, text, html } of mails) {
      expect(to).toBe(TO)
      for (const form of [text, html])
        expect(form).toMatch(/http:\/\/127\.0\.0\.1:8080\/login\?step=(activate#token=x{43}|forgot)/)
      expect(html).not.toMatch(/<[bi]>/)
    }
  })
})

const MARK = 'server/mail/mark.png'

const ICON = 'public/icons/icon-512.png'

/** Returns the types of a mail's parts, in their order, with their dispositions. */
const partsOf = (source: string) =>
  source.split(/^--/m).flatMap((part) => {
    const type = /^Content-Type:\s+([\w/]+)/m.exec(part)?.[1]
    const disposition = /^Content-Disposition: (\w+)/m.exec(part)?.[1]
    return type === undefined ? [] : [[type, disposition].filter(Boolean).join(' ')]
  })

interface ReceivedMail {
  to: string[]
  /** The source of the mail, as it was sent. */
  source: string
}

interface MailServer {
  received: ReceivedMail[]
  port: number
  close(): Promise<void>
}

/** Makes a certificate that no authority has signed, as many mail servers have. */
function selfSigned() {
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=mail', '-keyout', '-', '-out', '-']
  const pem = execFileSync('openssl', made, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
  return { key: pem, cert: pem }
}

/** Starts a real mail server on 127.0.0.1 that keeps its mails. It refuses addresses at `nowhere.example`. */
function startMailServer(port = 0, options: SMTPServerOptions = WITHOUT_TLS): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onRcptTo({ address }, _session, done) {
      if (!address.endsWith('@nowhere.example')) return done()
      done(Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({ to: envelope.rcptTo.map(({ address }) => address), source: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const listener = server.listen(port, '127.0.0.1', () => {
      const { port: chosen } = listener.address() as AddressInfo
      resolve({ received, port: chosen, close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}
