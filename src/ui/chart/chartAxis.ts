/** How many steps the value axis has at most. */
const MOST_STEPS = 4
/** From label to label, in points: a week counts as round, so that days fall on the same weekday. */
const ROUND_GAPS = [1, 2, 3, 4, 7, 14, 28]

/** Round values from 0 up to the first one that is not below `highest`; whole numbers, since money is cents. */
export function axisSteps(highest: number): number[] {
  if (highest <= 0) return [0]
  const step = roundStep(highest / MOST_STEPS)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((it) => it >= least && Number.isInteger(it))
  return step ?? 10 * power
}

/** Which of `count` points get their label when only `most` fit side by side: the first, the last, and some at an even distance. */
export function labelledPoints(count: number, most: number): number[] {
  const last = count - 1
  const gap =
    ROUND_GAPS.find((it) => Math.ceil(last / it) < most) ?? Math.max(1, Math.ceil(last / Math.max(1, most - 1)))
  const even = Array.from({ length: Math.ceil(count / gap) }, (_, index) => index * gap)
  return count === 0 ? [] : [...even.filter((index) => index === 0 || last - index >= gap), last].filter(isFirst)
}

const isFirst = (index: number, at: number, all: number[]) => all.indexOf(index) === at
