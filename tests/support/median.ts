/** The one in the middle: a burst of another process moves a mean, and hardly this. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
