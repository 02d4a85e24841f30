import { useUser } from '../../blocks/accounts/useUser.ts'
import { readOutbox } from '../../offline/outbox/outbox.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'

/** Titles of this device's downloads that failed for good, newest first. */
export function useFailedDownloads(): string[] {
  const { guid } = useUser()
  const failed = async () =>
    (await readOutbox(userStore(guid))).filter(({ state }) => state === 'failed').map(({ title }) => title)
  return useLiveQuery(failed, `failed-downloads/${guid}`) ?? []
}
