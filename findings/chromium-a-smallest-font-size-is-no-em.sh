#!/usr/bin/env bash
# Chromium's minimum font size enlarges the letters but not the `em` of the same element, so lines that are set in em overlap.
#
# Guess: with the setting "minimum font size: 24" a text of 14 px has a font size of 24 px, so `line-height: 1.15em` gives lines of 27.6
#   px, as the number 1.15 does.
# Seen: Chromium 156.0.8078.108 (Debian 12, driven by puppeteer-core 24.43.1) draws letters of 24 px in both cases. The number gives lines
#   of 27.6 px, but the em gives 16.1 px: it is still that of 14 px. A padding of 1em is 14 px, too.
# Why it matters here: where the line height has a unit, people with this setting see lines that overlap. The line heights of small text
#   in tailwind.config.ts are therefore numbers; tests/e2e/devices/browser-settings.spec.ts redeems a voucher with this setting.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v chromium > /dev/null || apt-get install -qq -y --no-install-recommends chromium > /dev/null
npm install --silent --no-audit --no-fund --no-save puppeteer-core@24.43.1 > npm.log
mkdir -p profile/Default
echo '{ "webkit": { "webprefs": { "minimum_font_size": 24 } } }' > profile/Default/Preferences
cat > look.mjs << 'LOOK'
import puppeteer from 'puppeteer-core'
const browser = await puppeteer.launch({ executablePath: process.argv[2], userDataDir: 'profile', args: ['--no-sandbox'] })
console.log(await browser.version())
const page = await browser.newPage()
const line = (height) => `<p style="font: 14px/${height} sans-serif; margin: 0; width: max-content; padding-left: 1em">Letters</p>`
await page.setContent(line('1.15') + line('1.15em'))
const seen = await page.evaluate(() =>
  [...document.querySelectorAll('p')].map((p) => {
    const { height, paddingLeft } = getComputedStyle(p)
    return `line ${height}, 1em = ${paddingLeft}`
  }),
)
console.log(`number: ${seen[0]}\nem: ${seen[1]}`)
await browser.close()
process.exitCode = seen.join() === 'line 27.5938px, 1em = 14px,line 16.0938px, 1em = 14px' ? 0 : 1
LOOK
node look.mjs "$(command -v chromium)" || { echo 'This is not what was seen.'; exit 1; }
