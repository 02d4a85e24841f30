import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest'
import { queueMail } from '../../server/db/mailOutbox.ts'
import { mailOutbox } from '../../server/db/schema/mailOutbox.ts'
import { runCommand } from '../../server/desk/runCommand.ts'
import { sendDueMail } from '../../server/mail/mailSender.ts'
import { smtpTransport } from '../../server/mail/MailTransport.ts'
import { findProgram } from '../cluster/clusterPrograms.ts'
import { Program } from '../cluster/Program.ts'
import { until } from '../cluster/until.ts'
import { freePort } from '../support/server/freePort.ts'
import { db, it, server } from '../support/server/serverTest.ts'

const missing = findProgram('postfix') ? (process.getuid?.() === 0 ? '' : 'needs root') : 'postfix is not installed'
const OWNER = 'owner@shop.example'

let folder: string
let port: number
let postfix: Program

describe.skipIf(missing)(`mail through Postfix ${missing && `(${missing})`}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-postfix-'))
    port = await freePort()
    // Its processes run as another user.
    chmodSync(folder, 0o755)
    for (const name of ['etc', 'spool', 'data']) mkdirSync(join(folder, name))
    execFileSync('chown', ['postfix', join(folder, 'data')])
    writeFileSync(join(folder, 'etc/main.cf'), mainCf(folder))
    writeFileSync(join(folder, 'etc/master.cf'), masterCf(port))
    const command = [findProgram('postfix')!, '-c', join(folder, 'etc'), 'start-fg']
    postfix = new Program({ name: 'postfix', command, log: join(folder, 'log') })
    postfix.start()
    await until('postfix', 20, async () => (postfix.expectRunning(), (await greets(port)) || undefined))
  })
  afterAll(async () => {
    await postfix.end()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => server.database.reset())

  it('takes a mail', async () => {
    await put()
    await send()
    expect(await outbox()).toMatchObject([{ lastError: null, refusedAt: null, text: null }])
  })

  it.for<[string, { to?: string; from?: string; text?: string }, string, boolean]>([
    ['we may not relay', { to: 'owner@elsewhere.example' }, 'EENVELOPE RCPT TO 554 5.7.1', false],
    ['our address is refused', { from: 'refused@portal.example' }, 'EENVELOPE RCPT TO 554 5.7.1', false],
    ['our address does not exist', { from: 'portal@shop.example' }, 'EENVELOPE RCPT TO 550 5.1.0', false],
    ['the recipient does not exist', { to: 'gone@shop.example' }, 'EENVELOPE RCPT TO 550 5.1.1', true],
    ['the mail is too big', { text: 'x'.repeat(30_000) }, 'EMESSAGE DATA 552 5.3.4', true],
  ])('%s', async ([, { to, from, text }, lastError, isFinal]) => {
    await put(to, text)
    await send(port, from)
    const [mail] = await outbox()
    expect(mail).toMatchObject({ lastError, refusedAt: isFinal ? server.clock.now() : null })
    expect(mail!.text).not.toBeNull()
    server.clock.advance({ minutes: 20 })
    await send(port, from)
    expect(await outbox()).toMatchObject([{ attempts: isFinal ? 1 : 2 }])
  })

  it('hears the name of the portal; what it refused is listed, and sent again by the desk after a correction', async () => {
    await put('gone@shop.example')
    await send()
    await vi.waitFor(() => expect(postfix.lastWords()).toContain('helo=<portal.example>'))
    const printed: string[] = []
    const desk = { ...server.deps, print: (line: string) => printed.push(line) }
    await runCommand(desk, { command: 'list-mails', given: {} })
    expect(printed.join('\n')).toMatch(/gone@shop\.example {2}reset {2}refused .*: EENVELOPE RCPT TO 550 5\.1\.1$/)
    await db().update(mailOutbox).set({ toAddress: OWNER })
    await runCommand(desk, { command: 'send-mails', given: { email: OWNER } })
    await send()
    expect(await outbox()).toMatchObject([{ lastError: null, text: null, attempts: 2 }])
  })

  it('is waited for while it greets after twelve seconds', async () => {
    const slow = createServer((socket) => {
      setTimeout(() => socket.pipe(connect(port, '127.0.0.1')).pipe(socket), 12_000)
    })
    await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening))
    await put()
    await send((slow.address() as AddressInfo).port)
    expect(await outbox()).toMatchObject([{ lastError: null, text: null, attempts: 1 }])
    slow.close()
  })
})

const outbox = () => db().select().from(mailOutbox)

function put(to: string = OWNER, text = 'Hello') {
  const giveUpAt = new Date(server.clock.now().getTime() + 3_600_000)
  return queueMail(db(), { to, kind: 'reset', subject: 'S', text, html: '<p>Hello</p>', giveUpAt }, server.clock.now())
}

async function send(at = port, from = 'portal@portal.example') {
  const sender = { mailFrom: from, publicUrl: 'https://portal.example' }
  const transport = smtpTransport(`smtp://127.0.0.1:${at}?ignoreTLS=true`, sender)
  await sendDueMail(server.deps, transport)
  transport.close()
}

const greets = (at: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(at, '127.0.0.1')
    socket.once('data', () => done(socket.end('QUIT\r\n') !== undefined))
    socket.once('error', () => done(false))
  })

const mainCf = (place: string) => `compatibility_level = 3.6
queue_directory = ${place}/spool
data_directory = ${place}/data
maillog_file = /dev/stdout
myhostname = mail.shop.example
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
mydestination = shop.example
mynetworks = 192.0.2.0/24
local_recipient_maps = inline:{{owner = here}}
local_transport = discard:
message_size_limit = 20000
mailbox_size_limit = 0
smtpd_helo_required = yes
smtpd_helo_restrictions = reject_non_fqdn_helo_hostname
smtpd_sender_restrictions = check_sender_access inline:{{refused@portal.example = REJECT}}
smtpd_reject_unlisted_sender = yes
smtpd_relay_restrictions = permit_mynetworks, reject_unauth_destination
`

const masterCf = (at: number) => `127.0.0.1:${at} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
postlog unix-dgram n - n - 1 postlogd
`
