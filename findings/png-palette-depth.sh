#!/usr/bin/env bash
# A PNG of 16 colours, drawn anew by sharp as a palette, becomes larger than it was.
#
# Guess: `png({ palette: true })` on a file that is a palette of 16 colours keeps its 4 bits for each pixel, so a logo below its limit
#   stays below it; sharp reads the depth, for `metadata()` tells it.
# Seen: sharp 0.35.5 writes 8 bits for each pixel, and the file is about a seventh larger. Only `colours: 16` gives the 4 bits back.
# Why it matters here: a logo is drawn anew before it is stored (UPL-04), and one of 97,866 bytes was stored with 112,365, where 102,399 are
#   the limit. server/services/uploads/validateImage.ts asks for as many colours as the depth of the file has when the first way is
#   too large.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund sharp@0.35.5
cat > look.mjs <<'JS'
import sharp from 'sharp'

// Noise that is the same on each run, in 16 colours.
let seed = 1
const next = () => (seed = (seed * 48_271) % 2_147_483_647) % 16
const colours = Array.from({ length: 16 }, (_, at) => [at * 16, 255 - at * 16, (at * 37) % 256])
const [width, height] = [540, 360]
const raw = Buffer.from(Array.from({ length: width * height }, () => colours[next()]).flat())
const original = await sharp(raw, { raw: { width, height, channels: 3 } }).png({ palette: true, colours: 16 }).toBuffer()
const told = async (name, bytes) => {
  const { isPalette, bitsPerSample } = await sharp(bytes).metadata()
  console.log(`${name}: palette ${isPalette}, ${bitsPerSample} bits, ${bytes.byteLength} bytes`)
  return bitsPerSample
}
const before = await told('as it came', original)
const plain = await sharp(original).png({ compressionLevel: 9, palette: true }).toBuffer()
const after = await told('palette: true', plain)
const kept = await told('palette: true, colours: 16', await sharp(original).png({ palette: true, colours: 16 }).toBuffer())
const isAsSeen = before === 4 && after === 8 && kept === 4 && plain.byteLength > original.byteLength * 1.05
if (!isAsSeen) console.log('This is not what was seen.')
process.exit(isAsSeen ? 0 : 1)
JS
node look.mjs
