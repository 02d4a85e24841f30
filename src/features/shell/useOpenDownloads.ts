import { useUser } from '../../blocks/useUser.ts'
import { isOpen, rowsOf } from '../../offline/page/outbox.ts'
import { useLiveQuery } from '../../offline/page/useLiveQuery.ts'
import { userStore } from '../../offline/page/userStore.ts'

/** How many downloads still want something: the network's or the person's. */
export function useOpenDownloads(): number {
  const { guid } = useUser()
  const rows = useLiveQuery(async () => (await rowsOf(userStore(guid))).filter(isOpen).length, `open-downloads/${guid}`)
  return rows ?? 0
}
