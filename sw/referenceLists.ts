import { registerRoute } from 'workbox-routing'
import type { ListAddresses } from '../build/listAddresses.ts'
import { readClaims } from '../src/domain/accounts/sessions.ts'
import { storePublicList, storeReferenceList } from '../src/offline/store/storeReferenceList.ts'
import { listAt } from './listAt.ts'

/** Written in by the build (build/listAddresses.ts). */
declare const __LIST_ADDRESSES__: ListAddresses

/**
 * Reference lists pass through to the network untouched; a 200 is also written to the database of the token's owner. The 200
 * vouches for the token, so its `sub` may be believed (rule 14.4). A public list, asked without a token, goes into the device's
 * database. Nothing of it enters Cache Storage.
 */
export function keepReferenceLists(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && listAt(__LIST_ADDRESSES__, url) !== undefined,
    async ({ request, url, event }) => {
      const response = await fetch(request)
      const list = listAt(__LIST_ADDRESSES__, url)!
      if (response.status === 200) (event as ExtendableEvent).waitUntil(keep(ownerOf(request), list, response.clone()))
      return response
    },
  )
}

const ownerOf = (request: Request) =>
  readClaims(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')?.sub

/** A list that cannot be stored was still shown; the next answer tries again. */
async function keep(owner: string | undefined, { key, isPublic }: ListAddresses[string], response: Response) {
  try {
    const { data } = (await response.json()) as { data: unknown }
    if (isPublic) await storePublicList(key, data, Date.now())
    else if (owner !== undefined) await storeReferenceList(owner, key, data, Date.now())
  } catch {
    // A full disk or a body cut short: the page keeps what it has.
  }
}
