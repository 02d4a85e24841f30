import { useEffect, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import type { User } from '../../contract/accounts/user.ts'
import * as branch from '../../contract/branches.ts'
import { posUsers } from '../../contract/posUsers.ts'
import { SEARCH_LENGTH } from '../../contract/tables/tableColumns.ts'
import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { branchItem, posUserItem } from './deviceItems.ts'
import type { Item } from './Item.ts'

const PAUSE_MS = 300
const ROWS = 10

/** Records that only the server has, when a list is too long for the device. Asked after a pause in typing. */
export function useServerItems(user: User, typed: string, cut: readonly ReferenceListKey[]): readonly Item[] {
  const [answer, setAnswer] = useState<{ to: string; items: Item[] }>()
  const search = typed.trim().slice(0, SEARCH_LENGTH)
  const lists = cut.join()
  useEffect(() => {
    if (search.length < 2 || lists === '') return
    const controller = new AbortController()
    const ask = () =>
      find(user, search, lists.split(','), controller.signal).then(
        (items) => setAnswer({ to: search, items }),
        (error: unknown) => {
          if (!controller.signal.aborted && !(error instanceof ApiError)) reportError(error)
        },
      )
    const pause = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      controller.abort()
    }
  }, [user, search, lists])
  return answer?.to === search ? answer.items : []
}

async function find(user: User, search_str: string, lists: readonly string[], signal: AbortSignal): Promise<Item[]> {
  const body = { start: 0, limit: ROWS, search_str }
  const [branches, tills] = await Promise.all([
    lists.includes('branches') ? call(branch.branches.datatable, { body, signal }) : undefined,
    lists.includes('posUsers') ? call(posUsers.datatable, { body, signal }) : undefined,
  ])
  return [
    ...(branches?.rows ?? []).map(branchItem),
    ...(tills?.rows ?? []).map((row) => posUserItem({ ...row, name: row.username }, user)),
  ]
}
