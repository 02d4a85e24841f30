export interface Slope {
  /** By how much the value rises with each unit of time. */
  perUnit: number
  /** Of that, by the scatter of the values around the line: the standard error. */
  error: number
}

/** The straight line nearest to the points, by least squares. */
export function slopeOf(points: readonly { at: number; value: number }[]): Slope {
  const mean = (of: (point: { at: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)]
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  const perUnit = points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread
  const residue = points.reduce((sum, point) => sum + (point.value - value - perUnit * (point.at - at)) ** 2, 0)
  return { perUnit, error: Math.sqrt(residue / (points.length - 2) / spread) }
}
