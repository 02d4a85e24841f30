#!/usr/bin/env bash
# When a server breaks off in the middle of a chunked answer, haproxy tells an HTTP/1.1 client, but an HTTP/2 client gets a complete answer.
#
# Guess: an HTTP/1.1 client gets a chunked body without its last chunk, and an HTTP/2 client gets a stream that is reset.
# Seen: haproxy 2.6.12 (Debian 12): the HTTP/1.1 client gets no last chunk; the HTTP/2 client gets status 200, half of the body, and
#   END_STREAM.
# Why it matters here: a report is a chunked answer. Browsers speak HTTP/2 to the proxy, and their fetch() resolves with half of it.
#   src/api/download.ts therefore looks for an end mark in the file itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH="$PATH:/usr/sbin"
command -v haproxy > /dev/null || apt-get install -qq -y --no-install-recommends haproxy > /dev/null
echo "haproxy $(dpkg-query --show --showformat='${Version}' haproxy)"
cat > look.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { connect } from 'node:http2'
import { createServer as plain } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const free = async () => {
  const taken = plain().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address()
  taken.close()
  await once(taken, 'close')
  return port
}
const server = createServer((_, answer) => {
  answer.write('half')
  setTimeout(() => answer.socket.destroy(), 300)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const [one, two] = [await free(), await free()]
writeFileSync(
  'haproxy.cfg',
  `defaults
  mode http
  timeout connect 5s
  timeout client 9s
  timeout server 9s
frontend clients
  bind 127.0.0.1:${one}
  bind 127.0.0.1:${two} proto h2
  default_backend behind
backend behind
  server behind 127.0.0.1:${server.address().port}
`,
)
const haproxy = spawn('haproxy', ['-db', '-f', 'haproxy.cfg'], { stdio: 'ignore' })
await sleep(1_000)

const overOne = await new Promise((resolve) => {
  get({ host: '127.0.0.1', port: one }, (answer) => {
    answer.on('error', ({ code }) => resolve(`breaks off (${code})`))
    answer.on('end', () => resolve('ends'))
    answer.resume()
  })
})
const session = connect(`http://127.0.0.1:${two}`)
const call = session.request({ ':path': '/' })
const overTwo = await new Promise((resolve) => {
  call.on('error', ({ code }) => resolve(`breaks off (${code})`))
  call.on('end', () => resolve('ends'))
  call.resume()
})
session.destroy()
haproxy.kill()
server.close()
server.closeAllConnections()
console.log(`HTTP/1.1: the answer ${overOne}. HTTP/2: the answer ${overTwo}, reset code ${call.rstCode}.`)
const isAsSeen = overOne === 'breaks off (ECONNRESET)' && overTwo === 'ends' && call.rstCode === 0
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
