/** The amount that vouchers take off a bill, and the part of them that is lost, since no change is given (rule 9.22). In cents. */
export interface TakenOff {
  off: number
  lost: number
}

/**
 * Returns what vouchers of `worth` cents take off a bill. `bill`: the amount to pay in cents; undefined if it was not typed, and then all of `worth`
 * counts.
 */
export function takenOff(bill: number | undefined, worth: number): TakenOff {
  const off = bill === undefined ? worth : Math.min(worth, bill)
  return { off, lost: worth - off }
}

/**
 * Returns the vouchers that a bill needs, as indexes of `worths`. Of the sets that cover the bill, it takes the one that loses least, then the one
 * with the fewest vouchers, then the one that was scanned first. Returns all vouchers if they do not cover the bill or no bill was typed. Amounts are
 * in cents.
 */
export function vouchersForBill(bill: number | undefined, worths: readonly number[]): number[] {
  const places = worths.map((_, place) => place)
  const worthOf = (some: readonly number[]) => some.reduce((sum, place) => sum + worths[place]!, 0)
  if (bill === undefined || worthOf(places) <= bill) return places
  /** For each worth that a set can have, the best set. */
  const sets = new Map<number, number[]>([[0, []]])
  for (const place of places) {
    const without = [...sets]
    for (const [worth, set] of without) {
      const before = sets.get(worth + worths[place]!)
      if (!before || before.length > set.length + 1) sets.set(worth + worths[place]!, [...set, place])
    }
  }
  const covering = [...sets].filter(([worth]) => worth >= bill)
  const [, best] = covering.reduce((one, other) => (other[0] < one[0] ? other : one))
  return best.toSorted((one, other) => one - other)
}
