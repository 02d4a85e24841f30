/** The server signs it for five minutes; a minute is left for the picture to come. */
const LOGO_URL_USABLE_MS = 4 * 60_000

/** The address of a logo while it can still be opened. `asOf`: when the server gave it. */
export const usableLogoUrl = (url: string | null, asOf: Date | undefined): string | undefined =>
  url !== null && asOf && Date.now() - asOf.getTime() < LOGO_URL_USABLE_MS ? url : undefined
