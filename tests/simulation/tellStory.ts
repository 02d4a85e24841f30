/** Lines that a screen takes. */
const SCREEN = 40

/**
 * What a person has to read of a story that ends badly: all that happened to the voucher it names, and what its tills went through
 * meanwhile. The end, where it names none.
 */
export function tellStory(story: readonly string[]): readonly string[] {
  const voucher = /voucher \d+/.exec(story.at(-1) ?? '')?.[0]
  if (!voucher) return story.slice(-SCREEN)
  const isAbout = (line: string) => new RegExp(`${voucher}\\b`).test(line)
  const first = story.findIndex(isAbout)
  const tills = new Set(story.filter(isAbout).flatMap((line) => line.match(/till \d+/g) ?? []))
  const isNear = (line: string) => isAbout(line) || [...tills].some((till) => new RegExp(`\\b${till}\\b`).test(line))
  const told = story.slice(Math.max(0, first)).filter((line) => isNear(line) || /healed|kills/.test(line))
  if (told.length <= SCREEN) return told
  const half = SCREEN / 2
  return [...told.slice(0, half), `(${told.length - SCREEN} more)`, ...told.slice(-half)]
}
