import { CodeReading, type CodeReader, type Hint } from './CodeReading.ts'
import type { Decode } from './Decode.ts'

/** Ten pictures a second: quicker than a hand, and half of a slow tablet's time stays free. */
const READ_EVERY_MS = 100
/** Long enough to read a hint after its reason has left the view. */
const HINT_FOR_MS = 2_500

interface CodeListeners {
  onCode: (code: string) => void
  onHint: (hint: Hint | undefined) => void
}

/** One for the tab, not one each time the camera opens: a voucher that still lies there after its verdict is not read again. */
const vouchers = new CodeReading()

/**
 * Reads what the video shows until `signal` ends it.
 * @throws when the reader is broken.
 */
export async function watchCodes(
  video: HTMLVideoElement,
  decode: Decode,
  { onCode, onHint }: CodeListeners,
  signal: AbortSignal,
  reader: CodeReader = vouchers,
): Promise<void> {
  const canvas = document.createElement('canvas')
  let turn = 0
  let hintUntil = 0
  while (!signal.aborted) {
    const started = performance.now()
    const picture = pictureOf(video, turn, canvas)
    const sightings = picture ? await decode(picture) : []
    if (signal.aborted) return
    // The crop that found something is read again, so that bars are confirmed at once.
    if (sightings.length === 0) turn += 1
    const now = performance.now()
    const read = reader.see(sightings, now)
    if (read && 'code' in read) onCode(read.code)
    if (read && 'hint' in read) {
      onHint(read.hint)
      hintUntil = now + HINT_FOR_MS
    } else if (now > hintUntil) onHint(undefined)
    await pause(READ_EVERY_MS - (performance.now() - started), signal)
  }
}

function pictureOf(video: HTMLVideoElement, turn: number, canvas: HTMLCanvasElement): ImageData | undefined {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return undefined
  const whole = { width: video.videoWidth, height: video.videoHeight }
  const crops = cropsOf(whole, { width: video.clientWidth || 1, height: video.clientHeight || 1 })
  return readCrop(video, whole, crops[turn % crops.length]!, canvas)
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(ms, 0))
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** A part of the camera's picture, in its own pixels, and by how much it is turned before it is read. */
interface Crop {
  width: number
  height: number
  turn: number
}

interface Size {
  width: number
  height: number
}

/** The part of the view that is read close: about the drawn frame with its surroundings. */
const MIDDLE = 2 / 3
const MIDDLE_SHAPE = 4 / 3
/** More pixels than this only cost time. */
const LARGEST = 1280

/**
 * The crops that take turns, for a picture of size `video` shown in a `box` that it covers. Bars are read up to about 25 degrees
 * from level or upright, so one crop is turned by 45. Close around the code the contrast is better, which helps more in blur and
 * darkness than a wide view. The widest crop is everything that the person sees, and nothing else.
 */
export function cropsOf(video: Size, box: Size): Crop[] {
  const scale = Math.max(box.width / video.width, box.height / video.height)
  const seen = { width: box.width / scale, height: box.height / scale }
  const width = Math.min(seen.width, seen.height * MIDDLE_SHAPE) * MIDDLE
  const middle = { width, height: Math.min(width / MIDDLE_SHAPE, seen.height) }
  return [
    { ...middle, turn: 0 },
    { ...middle, turn: 45 },
    { ...seen, turn: 0 },
  ]
}

/** The pixels of one crop of a picture of size `whole`. The caller's canvas is used again for each. */
function readCrop(
  picture: CanvasImageSource,
  whole: Size,
  crop: Crop,
  canvas: HTMLCanvasElement,
): ImageData | undefined {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return undefined
  const scale = Math.min(1, LARGEST / Math.max(crop.width, crop.height))
  canvas.width = Math.round(crop.width * scale)
  canvas.height = Math.round(crop.height * scale)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((-crop.turn * Math.PI) / 180)
  context.scale(scale, scale)
  context.drawImage(picture, -whole.width / 2, -whole.height / 2)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
