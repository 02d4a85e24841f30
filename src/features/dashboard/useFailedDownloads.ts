import { useUser } from '../../blocks/useUser.ts'
import { rowsOf } from '../../offline/page/outbox.ts'
import { useLiveQuery } from '../../offline/page/useLiveQuery.ts'
import { userStore } from '../../offline/page/userStore.ts'

/** Titles of this device's downloads that failed for good, newest first. */
export function useFailedDownloads(): string[] {
  const { guid } = useUser()
  const failed = async () =>
    (await rowsOf(userStore(guid))).filter(({ state }) => state === 'failed').map(({ title }) => title)
  return useLiveQuery(failed, `failed-downloads/${guid}`) ?? []
}
