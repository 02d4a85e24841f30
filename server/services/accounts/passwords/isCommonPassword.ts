import { dictionary } from '@zxcvbn-ts/language-common'

/** Words of this portal and of Singapore. Guessers try them first here, but no published list has them. */
const LOCAL_WORDS = `
  voucher vouchers merchant portal password reward rewards redeem health healthy
  singapore merlion changi sentosa orchard tampines bedok jurong temasek kopi tehtarik chickenrice hawker durian
`
  .trim()
  .split(/\s+/)

/** Shorter words are ignored, because they occur by chance in many passwords. */
const MIN_WORD_LETTERS = 4
/** Fewer letters may match a random password by chance. */
const MIN_COMMON_LETTERS = 6

const LEET: Record<string, string> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', '@': 'a', $: 's', '!': 'i' }

const lettersOf = (text: string) => text.replaceAll(/\P{L}/gu, '')
/** Removes digits and signs at both ends, where most people add those that a rule demands. */
const withoutEnds = (text: string) => text.replaceAll(/^\P{L}+|(?<=\p{L})\P{L}+$/gu, '')

/** Replaces digits and signs by the letters that they look like. `letterForOne` replaces a 1. */
function unleet(text: string, letterForOne: string): string {
  return [...text].map((sign) => (sign === '1' ? letterForOne : (LEET[sign] ?? sign))).join('')
}

/** Returns the words that `password` may disguise: `P@ssw0rd2026!` is `password`. */
function readingsOf(password: string): { core: string; letters: string }[] {
  const plain = password.normalize('NFKC').toLowerCase()
  // Reads the password with and without its ends: the end of "2026!" must not be read as letters, but the end of "pa$$" must.
  const bases = [plain, withoutEnds(plain)]
  const spelled = bases.flatMap((base) => [base, unleet(base, 'i'), unleet(base, 'l')])
  return spelled.map((text) => ({ core: withoutEnds(text), letters: lettersOf(text) }))
}

/** The published list of 49,233 passwords. It is read when the first password is set, because a server that only serves tills never needs it. */
let common: { cores: Set<string>; letters: Set<string> } | undefined

function readCommon() {
  const words = (dictionary['passwords-common'] ?? []).map(String)
  const letters = words.map(lettersOf).filter(({ length }) => length >= MIN_COMMON_LETTERS)
  return { cores: new Set(words.map(withoutEnds).filter(Boolean)), letters: new Set(letters) }
}

/**
 * True when `password` is one that guessers try first: a common password, also with other spelling, digits or signs, or only words of this portal, of
 * Singapore and of `context` (the organisation's name, the login name).
 */
export function isCommonPassword(password: string, context: string[]): boolean {
  const names = context.map((name) => lettersOf(name.normalize('NFKC').toLowerCase())).filter((name) => name.length > 2)
  const parts = context.flatMap((name) =>
    name
      .normalize('NFKC')
      .toLowerCase()
      .split(/\P{L}+/u),
  )
  const words = [...LOCAL_WORDS, ...names, ...parts.filter(({ length }) => length >= MIN_WORD_LETTERS)]
  const { cores, letters: lettersOfCommon } = (common ??= readCommon())
  return readingsOf(password).some(
    ({ core, letters }) =>
      (cores.has(core) && (core.length >= MIN_WORD_LETTERS || hasDigitRow(password))) ||
      lettersOfCommon.has(letters) ||
      isMadeOf(letters, words),
  )
}

/** True for a row of digits as in `Abc123456789!`: a core of two or three letters is common only with such a row. */
function hasDigitRow(password: string): boolean {
  const digits = password.replaceAll(/\D/g, '')
  const isRun = ['01234567890', '09876543210'].some((run) => run.includes(digits)) || /^(\d)\1*$/.test(digits)
  return digits.length >= MIN_WORD_LETTERS && isRun
}

/** True when `text` is one or more of `words` in a row. Marks reachable positions instead of using a pattern, which could backtrack without end. */
function isMadeOf(text: string, words: string[]): boolean {
  const reachable = new Set([0])
  for (let at = 0; at < text.length; at += 1) {
    if (!reachable.has(at)) continue
    for (const word of words) if (text.startsWith(word, at)) reachable.add(at + word.length)
  }
  return text.length > 0 && reachable.has(text.length)
}
