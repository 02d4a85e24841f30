const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What XML cannot hold, what it would change, and what the format would read as one of those. */
// oxlint-disable-next-line no-control-regex -- They are what it is about.
const SPECIAL = /[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g

/** Text as a cell of a workbook has it; `_x000D_` is how the format writes what XML has no way to. */
export const xmlText = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (sign) => REPLACEMENTS[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
