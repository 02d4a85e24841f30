#!/usr/bin/env bash
# sharp makes a PNG of 16 colours larger when it writes it again as a palette.
#
# Guess: `png({ palette: true })` keeps the 4 bits per pixel of a palette of 16 colours, so a logo below the limit stays below it: sharp
#   knows the depth, because `metadata()` reports it.
# Seen: sharp 0.35.5 writes 8 bits per pixel, and the file becomes about a seventh larger. Only `colours: 16` keeps the 4 bits.
# Why it matters here: the server writes each logo again before it stores it (UPL-04). A logo of 97,866 bytes became 112,365 bytes, above
#   the limit of 102,399. If that happens, server/services/uploads/validateImage.ts tries again with as many colours as the depth of the
#   file has.
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
