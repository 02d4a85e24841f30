#!/usr/bin/env bash
# zxing does not read a sharp and complete EAN-13 that is held at a slant; zbar does.
#
# Guess: `tryRotate` and `tryHarder` of zxing-wasm are for codes that are turned, so a clean EAN-13 is read at each angle.
# Seen: with bars of the nominal height zxing-wasm 3.1.3 reads nothing from 40 to 50 degrees. With bars whose height is 0.4 of their width
#   it reads nothing from 25 to 65 degrees. It seems to look only along lines at 0 and 90 degrees, one of which must cross all bars. zbar
#   (zbar-wasm 0.11.0) reads the first at each angle, and the second except from 40 to 50 degrees. zxing reads a QR code at each angle.
# Why it matters here: the bars of a printed voucher are 42 points high and 106 wide (server/pdf/voucherPrints.ts), like the second. A
#   cashier whose camera finds nothing should hold the bars level or upright, or show the QR code beside them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund zxing-wasm@3.1.3 @undecaf/zbar-wasm@0.11.0 bwip-js@4.11.4 sharp@0.35.5
cat > look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { scanImageData } from '@undecaf/zbar-wasm'
import bwipjs from 'bwip-js/node'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasmBinary = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm').buffer
prepareZXingModule({ overrides: { wasmBinary } })

const SERIAL = '2000125021896'
const ANGLES = Array.from({ length: 19 }, (_, at) => at * 5)

/** The angles at which each of the two reads nothing, or something else. */
async function blindOf(code, name) {
  const look = { scale: 4, paddingwidth: 12, paddingheight: 12, backgroundcolor: 'ffffff' }
  const drawn = await bwipjs.toBuffer({ text: SERIAL, ...look, ...code })
  const blind = { zxing: [], zbar: [] }
  for (const angle of ANGLES) {
    const turned = sharp(drawn).rotate(angle, { background: '#fff' }).flatten({ background: '#fff' }).ensureAlpha()
    const { data, info } = await turned.raw().toBuffer({ resolveWithObject: true })
    const picture = { data: new Uint8ClampedArray(data), width: info.width, height: info.height }
    const found = await readBarcodes(picture, { formats: ['EAN13', 'QRCode'], tryHarder: true, tryRotate: true })
    if (found[0]?.text !== SERIAL) blind.zxing.push(angle)
    const symbols = await scanImageData(picture)
    if (symbols[0]?.decode() !== SERIAL) blind.zbar.push(angle)
  }
  const [zxing, zbar] = [blind.zxing, blind.zbar].map((angles) => angles.join(', ') || 'none')
  console.log(`${name}: zxing reads nothing at ${zxing}; zbar at ${zbar}`)
  return blind
}
const usual = await blindOf({ bcid: 'ean13', height: 24 }, 'bars of 24 mm beside 33 mm')
const low = await blindOf({ bcid: 'ean13', height: 13 }, 'bars of 13 mm beside 33 mm')
const square = await blindOf({ bcid: 'qrcode' }, 'QR code')
const isAsSeen =
  usual.zxing.join() === '40,45,50' &&
  usual.zbar.length === 0 &&
  low.zxing.join() === '25,30,35,40,45,50,55,60,65' &&
  low.zbar.join() === '40,45,50' &&
  square.zxing.length === 0
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
