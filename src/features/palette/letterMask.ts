const A = 97
const ZERO = 48

/** The set of letters and digits of a folded text in 32 bits: one each for a to z, one for two digits, one for all the rest. */
export function letterMask(folded: string): number {
  let mask = 0
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at)
    if (code >= A && code < A + 26) mask |= 1 << (code - A)
    else if (code >= ZERO && code < ZERO + 10) mask |= 1 << (26 + ((code - ZERO) >> 1))
    else if (code > 127) mask |= 1 << 31
  }
  return mask
}

/** How many of `wanted` are not in `mask`: each wrong letter is one at most. */
export function missingLetters(wanted: number, mask: number): number {
  let missing = wanted & ~mask
  let count = 0
  while (missing !== 0) {
    missing &= missing - 1
    count += 1
  }
  return count
}
