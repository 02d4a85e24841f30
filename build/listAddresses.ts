import { REFERENCE_LISTS, type ReferenceListKey } from '../src/offline/store/referenceLists.ts'

export type ListAddresses = Record<string, { key: ReferenceListKey; isPublic: boolean }>

/**
 * All that the worker has to know of the reference lists: which one a path answers, and whether it is the same for everyone. With the
 * contract itself come the schemas of their answers and of much else, which only the page looks at.
 */
export const listAddresses = (): ListAddresses =>
  Object.fromEntries(
    Object.entries(REFERENCE_LISTS).map(([key, { base, path, access }]) => [
      `/${base}${path}`,
      { key: key as ReferenceListKey, isPublic: access === 'public' },
    ]),
  )
