import { CodeReading, type CodeReader, type Hint } from './CodeReading.ts'
import { cropsOf, readCrop } from './crops.ts'
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
