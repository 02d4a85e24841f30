import type { Treatment } from './Decode.ts'

export interface Size {
  width: number
  height: number
}

/** A part of the camera's picture in its own pixels, its rotation and reduction, and its treatment before it is read. */
export interface Look extends Size {
  turn: number
  scale: number
  treatment?: Treatment
}

/** The part of the view that is read in close-up: the drawn frame and a bit around it. */
const MIDDLE = 2 / 3
const MIDDLE_SHAPE = 4 / 3
/** More pixels than this only cost time. */
const LARGEST = 1280

/** Returns the visible part of a picture of size `video` that covers a `box`. */
export function seenIn(video: Size, box: Size): Size {
  const scale = Math.max(box.width / video.width, box.height / video.height)
  return { width: box.width / scale, height: box.height / scale }
}

/**
 * The looks that take turns. Bars are read up to about 25 degrees from level or upright, so one look is turned by 45. A close look
 * at the code has more contrast, which helps more in blur and darkness than a wide view. The widest look is exactly what the
 * cashier sees. Flat looks find a code under a lamp, in the dark or on faded paper. At half its size the whole view costs the least
 * time.
 */
export function looksOf(seen: Size): Record<LookName, Look> {
  const width = Math.min(seen.width, seen.height * MIDDLE_SHAPE) * MIDDLE
  const middle = { width, height: Math.min(width / MIDDLE_SHAPE, seen.height) }
  const most = Math.min(1, LARGEST / Math.max(seen.width, seen.height))
  return {
    close: { ...middle, turn: 0, scale: most },
    turned: { ...middle, turn: 45, scale: most },
    whole: { ...seen, turn: 0, scale: most },
    wholeSmall: { ...seen, turn: 0, scale: most * 0.4 },
    wholeFlat: { ...seen, turn: 0, scale: most / 2, treatment: { is: 'flat', around: 16 } },
    closeFlat: { ...middle, turn: 0, scale: most * 0.75, treatment: { is: 'flat', around: 8 } },
    negative: { ...middle, turn: 0, scale: most, treatment: { is: 'negative' } },
  }
}

type LookName = 'close' | 'turned' | 'whole' | 'wholeSmall' | 'wholeFlat' | 'closeFlat' | 'negative'

/** The last two of each five find codes that the others do not find. White on black is tried once a second. */
const ORDER: LookName[] = [
  ...(['close', 'turned', 'whole', 'wholeFlat', 'negative'] as const),
  ...(['close', 'turned', 'wholeSmall', 'wholeFlat', 'closeFlat'] as const),
]

/**
 * Small shifts, so that no look sees the same pixels as the one before it, even when nothing moves: a number that is misread in the
 * pixels of one look is not misread in those of another.
 */
const NUDGES = [
  { turned: 0, scaled: 1 },
  { turned: 2, scaled: 1 },
  { turned: 0, scaled: 0.95 },
]

/** Chooses the look at each picture. */
export class Looks {
  #turn = 0
  #count = 0

  /** Returns the next look. `name` is the same for the same pixels of a picture. */
  next(seen: Size): { name: string; look: Look } {
    const name = ORDER[this.#turn % ORDER.length]!
    const nudge = this.#count % NUDGES.length
    this.#count += 1
    const look = looksOf(seen)[name]
    const { turned, scaled } = NUDGES[nudge]!
    return { name: `${name} ${nudge}`, look: { ...look, turn: look.turn + turned, scale: look.scale * scaled } }
  }

  /** Goes on to the next look. Without this call the same look is repeated with a small shift, so that bars are confirmed at once. */
  foundNothing(): void {
    this.#turn += 1
  }
}
