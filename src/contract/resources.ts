import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { guid } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { LISTS, SEARCH_LENGTH } from './tables/lists.ts'
import { reachableStart, tablePage } from './tables/tableQuery.ts'
import { count, instant } from './wireFields.ts'

export const ResourceRow = v.object({
  guid,
  title: v.string(),
  description: v.string(),
  filename: v.string(),
  content_type: v.string(),
  size: count,
  updated_at: instant,
  /** The time of my last download; older than `updated_at` means that there is a newer file. */
  downloaded_at: v.nullable(instant),
})
export type ResourceRow = v.InferOutput<typeof ResourceRow>

const numberIn = (least: number, most: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(least), v.maxValue(most))

/** The table query as URL parameters (rule 11.1), each at most once. */
export const resourceTable = endpoint({
  method: 'GET',
  path: '/resources/datatable/merchant',
  access: { feature: 'resources', action: 'view' },
  summary: 'Files of the programme for merchants',
  query: v.strictObject({
    start: v.optional(v.pipe(numberIn(0, 999_999_999), reachableStart), '0'),
    limit: v.optional(numberIn(1, LIMITS.tablePageSize), '10'),
    search_str: v.optional(v.pipe(v.string(), v.maxLength(SEARCH_LENGTH)), ''),
    column: v.optional(v.picklist(LISTS.resources.columns), 'guid'),
    sort_type: v.optional(v.picklist(['asc', 'desc']), 'desc'),
  }),
  list: 'resources',
  answer: tablePage(ResourceRow),
  errors: ['START_TOO_DEEP'],
})

/** Each real download is logged once (SGN-06). */
export const downloadResource = endpoint({
  method: 'POST',
  path: '/resources/download_log',
  access: { feature: 'resources', action: 'download' },
  summary: 'Download a file of the programme',
  body: v.strictObject({ guid }),
  /** Any type that the programme has uploaded. */
  answer: { file: ['*/*'] },
})
