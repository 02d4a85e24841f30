import type { ReactElement } from 'react'

/** Elements beside something that comes and goes: never bare text. A page translator replaces text, and React would no longer find its own. */
export type Elements = ReactElement | readonly Elements[] | false | null | undefined
