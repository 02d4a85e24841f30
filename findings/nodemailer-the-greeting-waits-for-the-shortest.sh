#!/usr/bin/env bash
# nodemailer waits for a greeting only as long as the shortest of three timeouts, whatever `greetingTimeout` says.
#
# Guess: with a `greetingTimeout` of 4 s nodemailer waits for a mail server that greets after 2 s: `connectionTimeout` ends once there is
#   a connection, and `socketTimeout` is about a session that has begun.
# Seen: nodemailer 10.6.0. With a `connectionTimeout` of 1 s the greeting of such a server is never received, and with a `socketTimeout`
#   of 1 s it times out as well. The mail is sent only if all three are longer than the wait for the greeting.
# Why it matters here: server/mail/MailTransport.ts waits a minute for a mail server whose DNS is slow. A longer `greetingTimeout` alone
#   changes nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund nodemailer@10.6.0
cat > look.mjs <<'JS'
import { createServer } from 'node:net'
import nodemailer from 'nodemailer'

const server = createServer((socket) => {
  setTimeout(() => socket.write('220 mail.shop.example ESMTP\r\n'), 2_000)
  let inText = false
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    const said = chunk.toString()
    if (inText && !said.endsWith('\r\n.\r\n')) return
    if (said.startsWith('QUIT')) return socket.end('221 2.0.0 Bye\r\n')
    inText = said.startsWith('DATA')
    socket.write(inText ? '354 Go on\r\n' : '250 2.0.0 Ok\r\n')
  })
})
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const { port } = server.address()
const LONG = { connectionTimeout: 4_000, greetingTimeout: 4_000, socketTimeout: 4_000 }
const seen = []
for (const short of ['connectionTimeout', 'socketTimeout', 'none']) {
  const transporter = nodemailer.createTransport({ host: '127.0.0.1', port, ...LONG, ...(short !== 'none' && { [short]: 1_000 }) })
  const mail = { from: 'portal@shop.example', to: 'owner@shop.example', text: 'Hello' }
  const told = await transporter.sendMail(mail).then(() => 'sent', ({ code, timeoutType }) => `${code} ${timeoutType}`)
  seen.push(told)
  console.log(`greeting after 2 s, greetingTimeout 4 s, one second: ${short}: ${told}`)
}
server.close()
const isAsSeen = seen.join() === 'ETIMEDOUT GREETING_TIMEOUT,ETIMEDOUT SOCKET_TIMEOUT,sent'
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
