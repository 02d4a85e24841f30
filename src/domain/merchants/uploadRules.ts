import { LIMITS } from '../../contract/limits.ts'

/** A fault of a file, in the words that are shown at its field. Device and server use the same checks (rules 13.1 to 13.3). */
export interface FileFault {
  rule: 'ratio' | 'dimensions' | 'too small' | 'whole' | 'animated' | 'colours' | 'pdf'
  message: string
}

/** Checks the width and height of a logo in pixels (rule 13.1); returns `undefined` if they are right. */
export function logoFault(
  kind: 'profile_logo' | 'brand_logo',
  { width, height }: { width: number; height: number },
): FileFault | undefined {
  const { least, words } = SMALLEST[kind]
  if (width < least.width || height < least.height) {
    return { rule: 'too small', message: `${words} must be at least ${least.width}x${least.height} px.` }
  }
  return kind === 'brand_logo' ? ratioFault(width, height) : dimensionsFault(width, height)
}

/** The smallest logos, in pixels: a smaller picture cannot be recognised. */
const SMALLEST = {
  brand_logo: {
    words: 'Brand logo',
    least: { width: LIMITS.brandLogoLeastWidth, height: LIMITS.brandLogoLeastHeight },
  },
  profile_logo: { words: 'Profile logo', least: { width: LIMITS.profileLogoLeast, height: LIMITS.profileLogoLeast } },
} as const

/** Calculates in whole numbers: 297 by 200 is off by exactly 1 %, which fractions would miss. */
function ratioFault(width: number, height: number): FileFault | undefined {
  const isOff = Math.abs(2 * width - 3 * height) * 100 > LIMITS.brandLogoRatioPercent * 3 * height
  return isOff ? { rule: 'ratio', message: 'Brand logo must have a 3:2 aspect ratio.' } : undefined
}

function dimensionsFault(width: number, height: number): FileFault | undefined {
  const { profileLogoWidth: widest, profileLogoHeight: highest } = LIMITS
  if (width <= widest && height <= highest) return undefined
  return { rule: 'dimensions', message: `Profile logo must be at most ${widest}x${highest} px.` }
}

const CROP = 'Crop it to fit, or save it as a new file'

const IMAGE_FAULTS = {
  whole: `has other data behind its picture, or ends too early. ${CROP}`,
  animated: `must be one still picture. ${CROP}`,
  // The file does not say which inks were mixed, so each program shows different colours.
  colours: `must be in RGB, not CMYK: its colours would change. ${CROP}`,
} as const

/** Checks the bytes of a JPEG or PNG, not its picture; returns `undefined` if they are right (UPL-04). */
export function imageFault(bytes: Uint8Array): FileFault | undefined {
  const isPng = bytes[0] === 0x89
  const rule = !endsWith(bytes, isPng ? PNG_END : JPEG_END) ? 'whole' : isPng ? pngFault(bytes) : jpegFault(bytes)
  return rule && { rule, message: IMAGE_FAULTS[rule] }
}

/** A PNG's last chunk, a JPEG's last marker: the second half of a polyglot would follow them. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
const JPEG_END = [0xff, 0xd9]

const endsWith = (bytes: Uint8Array, end: readonly number[]) =>
  end.every((byte, at) => bytes[bytes.length - end.length + at] === byte)

/** Finds an animation, which has a chunk of its own before the first picture. */
function pngFault(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = view.getUint32(at + 4)
    if (type === ANIMATION) return 'animated'
    if (type === PICTURE) break
  }
  return undefined
}

/** `acTL` and `IDAT`. */
const ANIMATION = 0x6163544c
const PICTURE = 0x49444154

/** Reads the number of colours from the frame's header. */
function jpegFault(bytes: Uint8Array) {
  for (let at = 2; at + 9 < bytes.length;) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === SCAN) break
    if (marker === 0xff) {
      at += 1
    } else {
      if (isFrame(marker)) return bytes[at + 9] === 4 ? 'colours' : undefined
      at += 2 + bytes[at + 2]! * 256 + bytes[at + 3]!
    }
  }
  return undefined
}

const SCAN = 0xda
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** The advice for an unusable PDF: every program that shows it can also print it to a file. */
const REPRINT = 'Open it and print it to a new PDF'

/** Checks the bytes of a PDF before its content is read; returns `undefined` if they are right (UPL-06). */
export function pdfFault(bytes: Uint8Array): FileFault | undefined {
  const message = pdfMessage(bytes)
  return message === undefined ? undefined : { rule: 'pdf', message }
}

function pdfMessage(bytes: Uint8Array): string | undefined {
  const start = pdfStart(bytes)
  if (start === undefined) return 'must be a PDF'
  if (start > blanksBefore(bytes)) return `has other data in front of the PDF. ${REPRINT}`
  let end = bytes.length
  while (isBlank(bytes[end - 1])) end -= 1
  let lastEnd = bytes.lastIndexOf(PERCENT)
  while (lastEnd >= 0 && !isAt(bytes, lastEnd, PDF_END))
    lastEnd = lastEnd === 0 ? -1 : bytes.lastIndexOf(PERCENT, lastEnd - 1)
  if (lastEnd < 0) return `is not whole: its end is missing. ${REPRINT}`
  if (end - lastEnd > READERS_SEARCH_BYTES) return `has other data behind the PDF. ${REPRINT}`
  // A protected file may forbid printing, too.
  return isEncrypted(bytes) ? 'must not be protected. Save it without a password and without restrictions' : undefined
}

/** Returns where a PDF begins, within the range that readers search. */
export function pdfStart(bytes: Uint8Array): number | undefined {
  const found = bytes.subarray(0, READERS_SEARCH_BYTES).findIndex((_, at) => isAt(bytes, at, PDF_START))
  return found < 0 ? undefined : found
}

const READERS_SEARCH_BYTES = 1_024
const PDF_START = '%PDF-'
const PDF_END = '%%EOF'
const PERCENT = 0x25

const isAt = (bytes: Uint8Array, at: number, text: string) => {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

/** Counts line breaks and the like, after a UTF-8 mark. They do no harm: programs that fetch a PDF by mail or web leave them there. */
function blanksBefore(bytes: Uint8Array): number {
  let at = isAt(bytes, 0, '\u00ef\u00bb\u00bf') ? 3 : 0
  while (isBlank(bytes[at])) at += 1
  return at
}

const isBlank = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0

/** Finds the encryption key word, which is readable even where everything else is compressed. */
function isEncrypted(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x2f); at >= 0; at = bytes.indexOf(0x2f, at + 1)) {
    if (!isAt(bytes, at, ENCRYPT)) continue
    let next = at + ENCRYPT.length
    while (isBlank(bytes[next])) next += 1
    // A reference, or the dictionary itself; longer names begin with the same letters.
    if (isAt(bytes, next, '<<') || isDigit(bytes[next])) return true
  }
  return false
}

const ENCRYPT = '/Encrypt'
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39
