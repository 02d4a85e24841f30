/** Command where the keyboard has it. */
const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/** The keys of a shortcut as they stand on the keyboard: one after the other, each with what is held down. */
export const keyLabels = (keys: string): string[] =>
  keys.split(' ').map((key) => {
    if (!key.startsWith('Mod+')) return key
    const letter = key.slice('Mod+'.length).toUpperCase()
    return isMac ? `⌘${letter}` : `Ctrl ${letter}`
  })
