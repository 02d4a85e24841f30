#!/usr/bin/env bash
# zxing-wasm does not see the extra digits that bwip-js draws beside an EAN-13. Two modules nearer, it joins them to the number.
#
# Guess: zxing-wasm with `eanAddOnSymbol: 'Read'` reads the add-on that bwip-js draws beside an EAN-13, and gives the two numbers with a
#   space between them, as bwip-js takes them.
# Seen: bwip-js 4.11.4 leaves 12 modules between the two unless `addongap` says otherwise. zxing-wasm 3.1.3 finds an add-on up to 10
#   modules away. With a gap of 12, `Read` gives only the 13 digits and `Require` finds no code at all. With a gap of 10 both give 18 digits
#   without a space.
# Why it matters here: packs and magazines have such digits beside their number. A camera that read them would give 13 digits in one
#   picture and 18 in the next, and a serial never has 18. src/features/redemptions/camera/readCodes.ts leaves `eanAddOnSymbol` at `Ignore`,
#   which gives the same number with and without an add-on.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund zxing-wasm@3.1.3 bwip-js@4.11.4
cat > look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import bwipjs from 'bwip-js/node'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasmBinary = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm').buffer
prepareZXingModule({ overrides: { wasmBinary } })

const SERIAL = '2000125021896'
/** The texts that are read with Ignore, Read and Require. */
const FAR = [SERIAL, SERIAL, 'nothing']
const NEAR = [SERIAL, `${SERIAL}12345`, `${SERIAL}12345`]
let isAsSeen = true
for (const [addongap, expected] of [[undefined, FAR], [12, FAR], [11, FAR], [10, NEAR], [7, NEAR]]) {
  const look = { scale: 4, paddingwidth: 20, paddingheight: 10, backgroundcolor: 'ffffff' }
  const picture = await bwipjs.toBuffer({ bcid: 'ean13', text: `${SERIAL} 12345`, ...look, ...(addongap && { addongap }) })
  const read = []
  for (const eanAddOnSymbol of ['Ignore', 'Read', 'Require']) {
    const [code] = await readBarcodes(picture, { formats: ['EAN13'], eanAddOnSymbol })
    read.push(code?.text ?? 'nothing')
  }
  console.log(`addongap ${addongap ?? 'not given'}: Ignore ${read[0]}, Read ${read[1]}, Require ${read[2]}`)
  if (read.join() !== expected.join()) isAsSeen = false
}
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
