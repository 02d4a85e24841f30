import type { Treatment } from './Decode.ts'

export interface Size {
  width: number
  height: number
}

/** The part of a camera picture that the reader gets. It is cut from the middle, in the picture's own pixels, then turned, scaled and treated. */
export interface PictureSample extends Size {
  /** Degrees. */
  turn: number
  scale: number
  treatment?: Treatment
}

/** A close sample is this share of the visible width: the drawn frame and a little around it. */
const CLOSE_SHARE = 2 / 3
/** Its width divided by its height. */
const CLOSE_RATIO = 4 / 3
/** The longest side of a sample in pixels: more pixels only cost time. */
const LONGEST_SIDE = 1280

/** Returns the visible part of a picture of size `video` that covers a `box`. */
export function visiblePart(video: Size, box: Size): Size {
  const scale = Math.max(box.width / video.width, box.height / video.height)
  return { width: box.width / scale, height: box.height / scale }
}

/**
 * Returns the samples that take turns. The reader finds bars up to about 25 degrees from level or upright, so one sample is
 * turned by 45. A close sample has more contrast, which helps with blur and darkness. The widest sample is exactly what the
 * cashier sees. Flat samples find a code under a lamp, in the dark or on faded paper. A small sample costs the least time.
 */
export function samplesOf(visible: Size): Record<SampleName, PictureSample> {
  const width = Math.min(visible.width, visible.height * CLOSE_RATIO) * CLOSE_SHARE
  const close = { width, height: Math.min(width / CLOSE_RATIO, visible.height) }
  const fullScale = Math.min(1, LONGEST_SIDE / Math.max(visible.width, visible.height))
  return {
    close: { ...close, turn: 0, scale: fullScale },
    turned: { ...close, turn: 45, scale: fullScale },
    whole: { ...visible, turn: 0, scale: fullScale },
    wholeSmall: { ...visible, turn: 0, scale: fullScale * 0.4 },
    wholeFlat: { ...visible, turn: 0, scale: fullScale / 2, treatment: { is: 'flat', around: 16 } },
    closeFlat: { ...close, turn: 0, scale: fullScale * 0.75, treatment: { is: 'flat', around: 8 } },
    negative: { ...close, turn: 0, scale: fullScale, treatment: { is: 'negative' } },
  }
}

type SampleName = 'close' | 'turned' | 'whole' | 'wholeSmall' | 'wholeFlat' | 'closeFlat' | 'negative'

/** The order of the samples. Every half second, two of five find codes that the other three miss. White on black is tried once a second. */
const ORDER: SampleName[] = [
  ...(['close', 'turned', 'whole', 'wholeFlat', 'negative'] as const),
  ...(['close', 'turned', 'wholeSmall', 'wholeFlat', 'closeFlat'] as const),
]

/**
 * Small changes, so that two samples in a row never have the same pixels, even if nothing moves. A number that is misread in one
 * sample is then not misread in the next.
 */
const VARIATIONS = [
  { addedTurn: 0, scaleFactor: 1 },
  { addedTurn: 2, scaleFactor: 1 },
  { addedTurn: 0, scaleFactor: 0.95 },
]

/** Chooses the sample of each picture. */
export class SampleCycle {
  /** The place in `ORDER`. */
  #place = 0
  /** The number of samples so far. */
  #count = 0

  /** Returns the next sample. Two samples of one picture with the same `name` have the same pixels. */
  next(visible: Size): { name: string; sample: PictureSample } {
    const name = ORDER[this.#place % ORDER.length]!
    const variation = this.#count % VARIATIONS.length
    this.#count += 1
    const sample = samplesOf(visible)[name]
    const { addedTurn, scaleFactor } = VARIATIONS[variation]!
    const varied = { ...sample, turn: sample.turn + addedTurn, scale: sample.scale * scaleFactor }
    return { name: `${name} ${variation}`, sample: varied }
  }

  /** Moves on to another sample. Without this call `next` repeats the sample with a small change, which confirms bars at once. */
  foundNothing(): void {
    this.#place += 1
  }
}
