import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../src/offline/store/referenceLists.ts'

export type ListAddresses = Record<string, { key: ReferenceListKey; isPublic: boolean }>

/**
 * All that the worker has to know of the reference lists: which one a path answers, and whether it is the same for everyone. With the
 * contract itself come the schemas of their answers and of much else, which only the page looks at.
 */
export const listAddresses = (): ListAddresses =>
  Object.fromEntries(
    (Object.keys(REFERENCE_LISTS) as ReferenceListKey[]).map((key) => {
      const { base, path } = REFERENCE_LISTS[key]
      return [`/${base}${path}`, { key, isPublic: isPublicList(key) }]
    }),
  )
