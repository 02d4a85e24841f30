#!/usr/bin/env bash
# The digits beside an EAN-13, as one library draws them, are not there for another one; nearer by two modules they are glued to the number.
#
# Guess: zxing-wasm with `eanAddOnSymbol: 'Read'` reads the add-on that bwip-js draws beside an EAN-13, and gives both with a space
#   between, as bwip-js takes them.
# Seen: bwip-js 4.11.4 leaves 12 modules between the two unless `addongap` says otherwise. zxing-wasm 3.1.3 finds an add-on up to 10
#   modules away: with 12 `Read` has the 13 digits alone and `Require` finds no code at all. With 10 both have 18 digits in one, with no
#   space.
# Why it matters here: packs and magazines have such digits beside their number. A camera that read them would give 13 digits at one look
#   and 18 at the next, and 18 are no serial. src/features/redemptions/camera/readCodes.ts leaves `eanAddOnSymbol` at `Ignore`, where the
#   number is the same with or without.
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
/** What is read with Ignore, Read and Require. */
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
