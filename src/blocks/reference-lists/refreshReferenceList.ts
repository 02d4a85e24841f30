import { baseUrl, ownBase } from '../../api/baseUrl.ts'
import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { storePublicList, storeReferenceList } from '../../offline/store/storeReferenceList.ts'

type ListOf<K extends ReferenceListKey> = AnswerOf<(typeof REFERENCE_LISTS)[K]>

/** Asks for a reference list again, and sees to it that the answer is stored for offline use. Throws ApiError. */
export async function refreshReferenceList<K extends ReferenceListKey>(owner: string, key: K): Promise<ListOf<K>> {
  // The worker stores what passes through it. On the first visit, or with the API on another origin, nothing does.
  const isStoredByWorker = navigator.serviceWorker?.controller && baseUrl('api') === ownBase('api')
  const endpoint: (typeof REFERENCE_LISTS)[ReferenceListKey] = REFERENCE_LISTS[key]
  const data = (await call(endpoint)) as ListOf<K>
  if (!isStoredByWorker) await store(owner, key, data).catch(() => undefined)
  return data
}

const store = (owner: string, key: ReferenceListKey, data: unknown) =>
  isPublicList(key) ? storePublicList(key, data, Date.now()) : storeReferenceList(owner, key, data, Date.now())
