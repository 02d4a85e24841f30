#!/usr/bin/env bash
# Siteimprove Alfa finds nothing on any page, and gives no error, when two of its packages are one release apart.
#
# Guess: packages of one family that npm installs together without a warning work together, or fail.
# Seen: alfa-playwright 0.81.4 needs version 0.112 of the parts that it shares with alfa-rules. With alfa-rules 0.114.0, the newest, npm
#   installs two copies of each part. The rules then do not recognise the page, and all 91 are "inapplicable". With 0.112.0 the same page
#   fails the rule about its picture.
# Why it matters here: a test that only expects no finding would always pass. tests/peers/accessibility.test.ts therefore pins 0.112.0,
#   and first expects a fault that it has planted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/look.mjs" <<'JS'
import { Audit } from '@siteimprove/alfa-act'
import { Playwright } from '@siteimprove/alfa-playwright'
import rules from '@siteimprove/alfa-rules'
import { chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.setContent('<!doctype html><html lang="en"><title>Sales</title><main><h1>Sales</h1><img src="x"></main>')
const outcomes = await Audit.of(await Playwright.toPage(await page.evaluateHandle(() => document)), rules).evaluate()
const words = [...outcomes].map((outcome) => outcome.toJSON().outcome)
await browser.close()
const count = (word) => words.filter((one) => one === word).length
console.log(`failed ${count('failed')}, passed ${count('passed')}, inapplicable ${count('inapplicable')}`)
JS
seen=()
for version in 0.114.0 0.112.0; do
  mkdir "$folder/$version"
  cd "$folder/$version"
  npm init -y > /dev/null
  npm install --silent --no-audit --no-fund "@siteimprove/alfa-rules@$version" "@siteimprove/alfa-act@$version" \
    @siteimprove/alfa-playwright@0.81.4 playwright-core@1.65.1
  cp ../look.mjs .
  found=$(node look.mjs)
  echo "alfa-rules $version: $found"
  seen+=("$found")
done
if [[ ${seen[0]} != "failed 0, passed 0, inapplicable 91" || ${seen[1]} == "failed 0,"* ]]; then
  echo 'This is not what was seen.'
  exit 1
fi
