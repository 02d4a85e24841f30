/** Returns the median, because a burst of another process moves a mean but hardly a median. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Measures up to three times. Returns the first times that are `alike`, or the last: a leak shows every time, a busy machine hardly ever. */
export async function firstAlikeOfThree<T>(measure: () => Promise<T>, alike: (times: T) => boolean): Promise<T> {
  let times = await measure()
  for (let more = 2; more > 0 && !alike(times); more--) times = await measure()
  return times
}
