import { registerRoute } from 'workbox-routing'
import { keepList } from '../src/offline/store/keepList.ts'
import { type ReferenceListKey, referenceListOf } from '../src/offline/store/referenceLists.ts'
import { readClaims } from '../src/domain/accessToken.ts'

/**
 * Reference lists pass through to the network untouched; a 200 is also written to the database of the token's owner. The 200
 * vouches for the token, so its `sub` may be believed (DESIGN §6). Nothing of it enters Cache Storage.
 */
export function keepReferenceLists(): void {
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && referenceListOf(url.pathname) !== undefined,
    async ({ request, url, event }) => {
      const response = await fetch(request)
      const owner = ownerOf(request)
      if (response.status === 200 && owner !== undefined) {
        ;(event as ExtendableEvent).waitUntil(keep(owner, referenceListOf(url.pathname)!, response.clone()))
      }
      return response
    },
  )
}

const ownerOf = (request: Request) =>
  readClaims(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '')?.sub

/** A list that cannot be kept was still shown; the next answer tries again. */
async function keep(owner: string, key: ReferenceListKey, response: Response) {
  try {
    const { data } = (await response.json()) as { data: unknown }
    await keepList(owner, key, data, Date.now())
  } catch {
    // A full disk or a body cut short: the page keeps what it has.
  }
}
