#!/usr/bin/env bash
# IBM Equal Access reports text that is hidden by `clip-path` as hidden from screen readers, too.
#
# Guess: a checker knows the usual class for text that only screen readers get, and counts this text, however it is hidden.
# Seen: accessibility-checker-engine 4.0.34 in Chromium 156: a table whose head is hidden by `clip-path: inset(50%)` "has no headers",
#   though Chromium's accessibility tree has each of them. With the older `clip: rect(0 0 0 0)` the checker finds the headers.
# Why it matters here: `sr-only` of Tailwind 4 and our folded tables (src/ui/table/table.css) use `clip-path`. On every phone the checker
#   would report a head that only screen readers get as missing. tests/peers/accessibility.test.ts therefore shows it the older way.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund accessibility-checker-engine@4.0.34 playwright-core@1.65.1
cat > look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()
const seen = []
for (const by of ['clip-path: inset(50%)', 'clip: rect(0 0 0 0)']) {
  await page.setContent(`<!doctype html><html lang="en"><title>Sales</title><main><h1>Sales</h1><table>
    <thead style="position: absolute; width: 1px; height: 1px; overflow: hidden; ${by}">
      <tr><th scope="col">Branch</th><th scope="col">Amount</th></tr>
    </thead>
    <tbody><tr><td>Bedok</td><td>$5.00</td></tr><tr><td>Jurong</td><td>$7.00</td></tr></tbody></table></main>`)
  await page.evaluate(readFileSync('node_modules/accessibility-checker-engine/ace.js', 'utf8'))
  const misses = await page.evaluate(async () => {
    const { results } = await new ace.Checker().check(document, ['IBM_Accessibility'])
    return results.some(({ ruleId, value }) => ruleId === 'table_headers_exists' && value[1] === 'FAIL')
  })
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  const headers = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'columnheader').length
  console.log(`${by}: IBM ${misses ? 'finds no headers' : 'finds headers'}, Chromium's accessibility tree has ${headers}`)
  seen.push(misses, headers)
}
await browser.close()
const isAsSeen = seen.join() === 'true,2,false,2'
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
