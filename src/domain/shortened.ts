/** Returns the text, or its beginning and `…` if it has more than `most` UTF-16 code units. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${beginning(text, most - 1)}…` : text

/** Returns as many whole characters as fit in `most` code units: half an emoji cannot be written. */
function beginning(text: string, most: number): string {
  let end = 0
  for (const { length } of charactersOf(text)) {
    if (end + length > most) break
    end += length
  }
  return text.slice(0, end)
}

/** Splits a text into characters as a person counts them; into code points if the browser cannot do that. */
const charactersOf = (text: string): string[] =>
  'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
    : [...text]
