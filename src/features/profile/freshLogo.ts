/** The server signs it for five minutes; a minute is left for the picture to come. */
const GOOD_FOR_MS = 4 * 60_000

/** The address of a logo while it can still be opened. `asOf`: when the server gave it. */
export const freshLogo = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < GOOD_FOR_MS ? url : undefined
