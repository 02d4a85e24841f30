import { CodeReading, type Hint } from './CodeReading.ts'
import type { Decode, Picture } from './Decode.ts'
import { Looks, seenIn, type Look, type Size } from './pictureSamples.ts'

/** Ten pictures a second: faster than a hand moves, and half of a slow tablet's time stays free. */
const READ_EVERY_MS = 100
/** Long enough to read a hint after its cause has left the view. */
const HINT_FOR_MS = 2_500

interface CodeListeners {
  onCode: (code: string) => void
  onHint: (hint: Hint | undefined) => void
}

/** One for each tab, not one each time the camera opens: a voucher that still lies there after its verdict is not read again. */
const vouchers = new CodeReading()

/**
 * Reads the codes that the video shows until `signal` ends it.
 * @throws when the reader is broken.
 */
export async function watchCodes(
  video: HTMLVideoElement,
  decode: Decode,
  { onCode, onHint }: CodeListeners,
  signal: AbortSignal,
): Promise<void> {
  const canvas = document.createElement('canvas')
  const looks = new Looks()
  let hintUntil = 0
  while (!signal.aborted) {
    const started = performance.now()
    const sizes = sizesOf(video)
    if (!sizes) {
      await pause(READ_EVERY_MS, signal)
      continue
    }
    const { name, look } = looks.next(sizes.part)
    const sightings = await decode(pictureOf(video, sizes, look, canvas), look.treatment)
    if (signal.aborted) return
    if (sightings.length === 0) looks.foundNothing()
    const now = performance.now()
    const read = vouchers.see(sightings, now, name)
    if (read && 'code' in read) onCode(read.code)
    if (read && 'hint' in read) {
      onHint(read.hint)
      hintUntil = now + HINT_FOR_MS
    } else if (now > hintUntil) onHint(undefined)
    await pause(READ_EVERY_MS - (performance.now() - started), signal)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(ms, 0))
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** The size of the whole picture and of its visible part; `undefined` while there is no picture. */
function sizesOf(video: HTMLVideoElement): { whole: Size; part: Size } | undefined {
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return undefined
  const whole = { width: video.videoWidth, height: video.videoHeight }
  return { whole, part: seenIn(whole, { width: video.clientWidth || 1, height: video.clientHeight || 1 }) }
}

/** Draws the pixels of one look. The caller's canvas is reused for each. */
function pictureOf(
  video: HTMLVideoElement,
  { whole, part }: { whole: Size; part: Size },
  { width, height, scale, turn }: Look,
  canvas: HTMLCanvasElement,
): Picture {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser has no canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((-turn * Math.PI) / 180)
  context.scale(scale, scale)
  const [left, top] = [(whole.width - part.width) / 2, (whole.height - part.height) / 2]
  context.drawImage(
    video,
    left,
    top,
    part.width,
    part.height,
    -part.width / 2,
    -part.height / 2,
    part.width,
    part.height,
  )
  return context.getImageData(0, 0, canvas.width, canvas.height) as Picture
}
