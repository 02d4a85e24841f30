import { useUser } from '../../blocks/accounts/useUser.ts'
import { isOpenDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'

/** How many downloads still want something: the network's or the person's. */
export function useOpenDownloadCount(): number {
  const { guid } = useUser()
  const rows = useLiveQuery(
    async () => (await readOutbox(userStore(guid))).filter(isOpenDownload).length,
    `open-downloads/${guid}`,
  )
  return rows ?? 0
}
