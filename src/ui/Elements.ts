import type { ReactElement } from 'react'

/**
 * What may stand beside something that comes and goes: never bare text. A translator of pages replaces that, and React looks for
 * its own.
 */
export type Elements = ReactElement | readonly Elements[] | false | null | undefined
