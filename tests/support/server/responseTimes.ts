/** The one in the middle: a burst of another process moves a mean, and hardly this. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Of three series of times the first that is `alike`, else the last: a leak shows in every one, a busy machine hardly in all. */
export async function firstAlikeOfThree<T>(measure: () => Promise<T>, alike: (times: T) => boolean): Promise<T> {
  let times = await measure()
  for (let more = 2; more > 0 && !alike(times); more--) times = await measure()
  return times
}
