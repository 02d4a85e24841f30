import { baseUrl, ownBase } from '../../api/baseUrl.ts'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { storePublicList, storeReferenceList } from '../../offline/store/storeReferenceList.ts'

type ListOf<K extends ReferenceListKey> = AnswerOf<(typeof REFERENCE_LISTS)[K]>

/** Asks for a reference list anew, and sees to it that the answer is kept for offline. Throws ApiError. */
export async function refreshReferenceList<K extends ReferenceListKey>(owner: string, key: K): Promise<ListOf<K>> {
  // The worker keeps what passes through it; on the first visit, or with the portal's API elsewhere, nothing does.
  const isKeptByWorker = navigator.serviceWorker?.controller && baseUrl('api') === ownBase('api')
  const endpoint: (typeof REFERENCE_LISTS)[ReferenceListKey] = REFERENCE_LISTS[key]
  const data = (await call(endpoint)) as ListOf<K>
  if (!isKeptByWorker) await keep(owner, key, data).catch(() => undefined)
  return data
}

const keep = (owner: string, key: ReferenceListKey, data: unknown) =>
  isPublicList(key) ? storePublicList(key, data, Date.now()) : storeReferenceList(owner, key, data, Date.now())
