import { call } from '../../api/call.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { storePublicList, storeReferenceList } from '../../offline/store/storeReferenceList.ts'

type ListOf<K extends ReferenceListKey> = AnswerOf<(typeof REFERENCE_LISTS)[K]>

/** Reads a reference list again, and stores the answer for offline use. Throws ApiError. */
export async function refreshReferenceList<K extends ReferenceListKey>(owner: string, key: K): Promise<ListOf<K>> {
  const endpoint: (typeof REFERENCE_LISTS)[ReferenceListKey] = REFERENCE_LISTS[key]
  const data = (await call(endpoint)) as ListOf<K>
  await store(owner, key, data).catch(() => undefined)
  return data
}

const store = (owner: string, key: ReferenceListKey, data: unknown) =>
  isPublicList(key) ? storePublicList(key, data, Date.now()) : storeReferenceList(owner, key, data, Date.now())
