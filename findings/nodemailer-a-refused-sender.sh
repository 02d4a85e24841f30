#!/usr/bin/env bash
# nodemailer reports a sender that the mail server refuses with the same codes as a recipient that does not exist.
#
# Guess: `EENVELOPE` with a `responseCode` of 5xx means that the server refuses this recipient; a refusal of our own address has another
#   code, as a refused login has.
# Seen: nodemailer 10.6.0 with smtp-server 3.21.6: a 550 to MAIL FROM and a 550 to RCPT TO are both `EENVELOPE` and 550. They differ in
#   `command`, and in `rejected`, which is missing for a refused sender. A 554 to the mail itself is `EMESSAGE`.
# Why it matters here: server/mail/MailTransport.ts gives up a mail that will never be accepted. A server may refuse MAIL_FROM for a
#   while, for example because a record of our domain is missing. Judged by `EENVELOPE` and 5xx alone, every mail that is due would be given
#   up, though all would be accepted later.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund nodemailer@10.6.0 smtp-server@3.21.6
cat > look.mjs <<'JS'
import nodemailer from 'nodemailer'
import { SMTPServer } from 'smtp-server'

let refused
const answer = (part, responseCode, done) =>
  done(refused === part ? Object.assign(new Error('not taken'), { responseCode }) : undefined)
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onMailFrom: (_address, _session, done) => answer('sender', 550, done),
  onRcptTo: (_address, _session, done) => answer('recipient', 550, done),
  onData: (stream, _session, done) => stream.on('end', () => answer('mail', 554, done)).resume(),
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.server.address()
const transporter = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
const seen = []
for (refused of ['sender', 'recipient', 'mail']) {
  const mail = { from: 'portal@shop.example', to: 'owner@shop.example', text: 'Hello' }
  const { code, responseCode, command, rejected } = await transporter.sendMail(mail).catch((error) => error)
  seen.push([code, responseCode, command, Boolean(rejected)].join(' '))
  console.log(`refused ${refused}: code ${code}, responseCode ${responseCode}, command ${command}, rejected ${rejected}`)
}
transporter.close()
await new Promise((closed) => server.close(closed))
const isAsSeen =
  seen.join() === 'EENVELOPE 550 MAIL FROM false,EENVELOPE 550 RCPT TO true,EMESSAGE 554 DATA false'
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
