#!/usr/bin/env bash
# rspamd adds a point when the links of the text part and of the HTML part, counted together, are an odd number.
#
# Guess: one link is what costs the point, so a second link in both parts, such as the one of the help page, takes it away.
# Seen: rspamd 3.4 (Debian 12), URI_COUNT_ODD, 1.0 of the 4 for which greylisting begins: what counts is whether the number is odd. One
#   link in both parts is even. A button with its address below makes it odd, and a second link in both parts leaves it odd. Another link
#   to that second address, in the HTML alone, makes it even.
# Why it matters here: each mail has a button, and its address for those whose button does not work. server/mail/mailPage.ts therefore
#   leads to the help page twice in the HTML, and once in the text.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill $(jobs -p) || true; rm -rf "$folder"' EXIT
cd "$folder"
# All is unpacked here and nothing installed, so that no service starts. Packages that this machine has are not fetched.
mkdir -p debs/partial parts run
chmod 755 "$folder" && chmod 777 run
apt-get install -qq -y --download-only --no-install-recommends -o Dir::Cache::archives="$folder/debs" rspamd=3.4-1 > apt.log
for package in debs/*.deb; do dpkg -x "$package" parts; done
shared=$folder/parts/usr/share/rspamd
export LD_LIBRARY_PATH=$folder/parts/usr/lib/x86_64-linux-gnu:$folder/parts/usr/lib/rspamd
export LUA_PATH="$shared/lualib/?.lua;$shared/lualib/?/init.lua"
# The whole list of domains takes a minute to load.
printf 'com\norg\n' > run/tld
cat > rspamd.conf <<CONF
options { pidfile = "$folder/run/rspamd.pid"; tempdir = "$folder/run"; url_tld = "$folder/run/tld"; disable_hyperscan = true }
logging { type = "file"; filename = "$folder/run/rspamd.log" }
worker "normal" { bind_socket = "127.0.0.1:31334"; count = 1 }
lua = "$shared/rules/rspamd.lua"
actions { greylist = 4 }
CONF
"$folder/parts/usr/bin/rspamd" --version
variables=()
for name in CONFDIR LOCAL_CONFDIR DBDIR LOGDIR RUNDIR; do variables+=(--var "$name=$folder/run"); done
variables+=(--var "RULESDIR=$shared/rules" --var "PLUGINSDIR=$shared/plugins" --var "SHAREDIR=$shared" --var "LUALIBDIR=$shared/lualib")
"$folder/parts/usr/bin/rspamd" -f -i -u nobody -g nogroup -c rspamd.conf "${variables[@]}" > start.log 2>&1 &
cat > look.mjs <<'JS'
import { setTimeout as sleep } from 'node:timers/promises'

const link = 'https://portal.example.com/login'
const help = 'https://portal.example.com/help'
const shown = (address) => `<a href="${address}">${address}</a>`
const button = `<a href="${link}">Set a new password</a>`
const mails = {
  'one link, in both parts': [link, shown(link)],
  'a button, and its address': [link, `${button} ${shown(link)}`],
  'the same, and the help page in both parts': [`${link} ${help}`, `${button} ${shown(link)} ${shown(help)}`],
  'the same, and another link to the help page': [
    `${link} ${help}`,
    `${button} ${shown(link)} ${shown(help)} <a href="${help}">Questions?</a>`,
  ],
}
const sourceOf = (text, html) =>
  [
    'From: portal@example.com',
    'To: owner@example.org',
    'Subject: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Somebody asked for a new password. ${text}`,
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<html><body><p>Somebody asked for a new password. ${html}</p></body></html>`,
    '--b--',
    '',
  ].join('\r\n')

async function ask(body) {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch('http://127.0.0.1:31334/checkv2', { method: 'POST', body }).catch(() => undefined)
    if (answer?.ok) return answer.json()
    await sleep(200)
  }
  throw new Error('rspamd does not answer')
}

const seen = []
for (const [name, [text, html]] of Object.entries(mails)) {
  const { symbols } = await ask(sourceOf(text, html))
  const odd = symbols.URI_COUNT_ODD
  seen.push(odd === undefined ? 0 : odd.score)
  console.log(`${name}: ${odd === undefined ? 'nothing' : `${odd.score} for ${odd.options.join()} links`}`)
}
const isAsSeen = JSON.stringify(seen) === process.argv[2]
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs '[0,1,1,0]'
