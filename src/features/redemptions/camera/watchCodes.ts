import { CodeReading, type Hint } from './CodeReading.ts'
import type { Decode, Picture } from './Decode.ts'
import { SampleCycle, visiblePart, type PictureSample, type Size } from './pictureSamples.ts'

/** Ten pictures a second are faster than a hand moves, and leave a slow tablet half of its time. */
const READ_EVERY_MS = 100
/** Long enough to read a hint whose cause has left the view. */
const HINT_FOR_MS = 2_500

interface CodeListeners {
  onCode: (code: string) => void
  onHint: (hint: Hint | undefined) => void
}

/** One for the whole tab, not a new one each time the camera opens: a voucher that still lies there after its verdict is not read again. */
const reading = new CodeReading()

/**
 * Reads the codes that the video shows, until `signal` is aborted.
 * @throws when the reader is broken.
 */
export async function watchCodes(
  video: HTMLVideoElement,
  decode: Decode,
  { onCode, onHint }: CodeListeners,
  signal: AbortSignal,
): Promise<void> {
  const canvas = document.createElement('canvas')
  const cycle = new SampleCycle()
  let hintUntil = 0
  while (!signal.aborted) {
    const started = performance.now()
    const sizes = sizesOf(video)
    if (!sizes) {
      await pause(READ_EVERY_MS, signal)
      continue
    }
    const { name, sample } = cycle.next(sizes.part)
    const sightings = await decode(drawSample(video, sizes, sample, canvas), sample.treatment)
    if (signal.aborted) return
    if (sightings.length === 0) cycle.foundNothing()
    const now = performance.now()
    const result = reading.see(sightings, now, name)
    if (result && 'code' in result) onCode(result.code)
    if (result && 'hint' in result) {
      onHint(result.hint)
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
  return { whole, part: visiblePart(whole, { width: video.clientWidth || 1, height: video.clientHeight || 1 }) }
}

/** Returns the pixels of one sample, drawn on the caller's canvas. */
function drawSample(
  video: HTMLVideoElement,
  { whole, part }: { whole: Size; part: Size },
  { width, height, scale, turn }: PictureSample,
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
