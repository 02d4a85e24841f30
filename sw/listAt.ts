import type { ListAddresses } from '../build/listAddresses.ts'

/** Which list an address of this origin answers, if any. With parameters it asks for a part of the list, not for the list. */
export const listAt = (lists: ListAddresses, { pathname, search }: URL): ListAddresses[string] | undefined =>
  search === '' ? lists[pathname] : undefined
