import type { AnyRecordList } from '../../blocks/tables/RecordList.ts'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { ResourceRow } from '../../contract/resources.ts'
import { useStoredList } from '../../offline/reads/useReferenceList.ts'
import { isDefaultQuery, type ResourceColumn, type ResourceTableState } from './resourceList.tsx'

/** A page of the list. Its beginning is there offline even if nobody has opened it: the worker keeps it from the login on. */
export function useResources(
  list: AnyRecordList<ResourceRow, ResourceColumn, never>,
  state: ResourceTableState,
): ReturnType<typeof useRecordList<ResourceRow, ResourceColumn, never>> {
  const { guid } = useUser()
  const read = useRecordList(list, state)
  const kept = useStoredList(guid, 'resources')
  if (read.phase !== 'failed' || !kept || !isDefaultQuery(read.query)) return read
  return { ...read, phase: 'kept', data: kept.entries, asOf: kept.asOf, age: kept.asOf }
}
