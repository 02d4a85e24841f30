import type { ReactElement } from 'react'

/**
 * Children of which some are conditional. They contain no bare text: a page translator replaces text nodes, and React would no
 * longer find them.
 */
export type Elements = ReactElement | readonly Elements[] | false | null | undefined
