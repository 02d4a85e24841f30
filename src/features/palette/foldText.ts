/**
 * Text as it is compared: lower case, without accents, and a space for everything that is neither letter nor digit. It has the
 * length of `text`, so that a position in one is the same position in the other.
 */
export function foldText(text: string): string {
  // A short way for plain names: most are, and there are thousands of them.
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z\d]/g, ' ')
  return [...text].map(foldCharacter).join('')
}

function foldCharacter(character: string): string {
  const plain = character.normalize('NFD').toLowerCase()
  const bare = plain.slice(0, plain.codePointAt(0)! > 0xffff ? 2 : 1)
  return /^[\p{L}\p{N}]$/u.test(bare) && bare.length === character.length ? bare : ' '.repeat(character.length)
}

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

/** How many of `wanted` are not in `mask`. A name with one wrong letter misses one at most. */
export function missingLetters(wanted: number, mask: number): number {
  let missing = wanted & ~mask
  let count = 0
  while (missing !== 0) {
    missing &= missing - 1
    count += 1
  }
  return count
}
