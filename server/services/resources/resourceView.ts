import type { RESOURCE_COLUMNS } from '../../../src/contract/tables/tableColumns.ts'
import { or } from 'drizzle-orm'
import type { ResourceRow } from '../../../src/contract/resources.ts'
import { containsText } from '../../db/containsText.ts'
import { instantCell, textCell } from '../../db/tables/csvCells.ts'
import { type FoundResource, RESOURCE_SORT, resourceTable } from '../../db/resourceTable.ts'
import { resource } from '../../db/schema.ts'
import type { Listing } from '../tables/readTable.ts'

const resourceRow = (found: FoundResource): ResourceRow => ({
  guid: found.id,
  title: found.title,
  description: found.description,
  filename: found.filename,
  content_type: found.contentType,
  size: found.size,
  updated_at: found.updatedAt.toISOString(),
  downloaded_at: found.downloadedAt?.toISOString() ?? null,
})

export const resourceListing = (
  userId: string,
): Listing<FoundResource, ResourceRow, (typeof RESOURCE_COLUMNS)[number], never> => ({
  table: resourceTable(userId),
  columns: RESOURCE_SORT,
  filters: {},
  search: (text) => or(containsText(resource.title, text), containsText(resource.description, text)),
  rowOf: resourceRow,
  listOrder: [{ key: RESOURCE_SORT.title, direction: 'asc' }],
  nameOf: ({ title }) => title,
  title: 'Resources',
  csv: () => ({ Title: textCell(resource.title), Updated: instantCell(resource.updatedAt) }),
})
