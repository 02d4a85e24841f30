import * as v from 'valibot'
import type { Feature } from '../accounts/permissions.ts'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../envelope.ts'
import { guid } from '../fieldSchemas.ts'
import type { ListName } from './lists.ts'
import { Option, tablePage, tableQuery } from './tableQuery.ts'

/** The path parameter that names a record. */
export const byId = v.strictObject({ id: guid })

/** The state of a record that an edit began from. A save over a later change gets STALE_REVISION, whose `data.current` is the current record. */
export const revision = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

interface ListDescription<P, F, L, Row, E> {
  path: P
  feature: F
  list: L
  row: Row
  /** The rows in words for the middle of a sentence: "branches of my scope". */
  rows: string
  /** The permission that the export of the list needs. */
  exporting?: 'view' | 'download'
  errors?: E
}

/** The endpoints for a page of a list, and for a file with all rows that the same query finds (rule 11.3). */
export const listEndpoints = <
  const P extends string,
  const F extends Feature,
  const L extends ListName,
  Row extends v.GenericSchema,
  const E extends readonly ErrorCode[] = [],
>({
  path,
  feature,
  list,
  row,
  rows,
  exporting = 'view',
  errors,
}: ListDescription<P, F, L, Row, E>) => {
  const body = tableQuery(list)
  const own = errors ?? []
  return {
    datatable: endpoint({
      access: { feature, action: 'view' },
      method: 'POST',
      path: `${path}/datatable`,
      summary: `A page of ${rows}`,
      body,
      list,
      answer: tablePage(row),
      errors: ['START_TOO_DEEP', ...own],
    }),
    export: endpoint({
      access: { feature, action: exporting },
      method: 'POST',
      path: `${path}/export`,
      summary: `All ${rows} that the query finds, as CSV`,
      body,
      answer: { file: ['text/csv'] },
      errors: own,
    }),
  }
}

interface ResourceDescription<P, F, L, Row, Record, Create, Edit, E> {
  path: P
  feature: F
  list: L
  /** The record in words for the middle of a sentence: "branch", "POS user". */
  noun: string
  row: Row
  record: Record
  create: Create
  edit: Edit
  /** Codes that a create or an edit can give. */
  errors: E
}

/** The endpoints of a generic resource (rule 11.3): a list, one record, create, edit, delete and the capped list for choices. */
export const resourceEndpoints = <
  const P extends string,
  const F extends Feature,
  const L extends ListName,
  Row extends v.GenericSchema,
  Record extends v.GenericSchema,
  Create extends v.GenericSchema,
  Edit extends v.GenericSchema,
  const E extends readonly ErrorCode[],
>({
  path,
  feature,
  list,
  noun,
  row,
  record,
  create,
  edit,
  errors,
}: ResourceDescription<P, F, L, Row, Record, Create, Edit, E>) => {
  const accessTo = <const A extends 'view' | 'create' | 'edit'>(action: A) => ({ access: { feature, action } }) as const
  return {
    ...listEndpoints({ path, feature, list, row, rows: `rows of the ${noun} table of my scope` }),
    get: endpoint({
      ...accessTo('view'),
      method: 'GET',
      path: `${path}/get/:id`,
      summary: `One ${noun} of my scope`,
      params: byId,
      answer: record,
    }),
    create: endpoint({
      ...accessTo('create'),
      method: 'POST',
      path,
      summary: `Create a ${noun}`,
      body: create,
      answer: record,
      errors,
    }),
    update: endpoint({
      ...accessTo('edit'),
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Edit a ${noun}`,
      params: byId,
      body: edit,
      answer: record,
      errors: ['STALE_REVISION', ...errors],
    }),
    remove: endpoint({
      ...accessTo('edit'),
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete a ${noun} that nothing refers to`,
      params: byId,
      answer: v.object({ deleted: v.literal(true) }),
      errors: ['IN_USE'],
    }),
    list: endpoint({
      ...accessTo('view'),
      method: 'GET',
      path: `${path}/list`,
      summary: `Every ${noun} of my scope by name, for choices; at most 1,000`,
      answer: v.array(Option),
    }),
  }
}

/** The `data` of IN_USE: the reasons why a record cannot be deleted. */
const IN_USE_REASONS = ['redemptions', 'POS users', 'branches', 'logins'] as const
export const InUse = v.object({ reasons: v.array(v.picklist(IN_USE_REASONS)) })
export type InUse = v.InferOutput<typeof InUse>

/** An action on one record: takes its id and answers with the record afterwards. */
export const actionEndpoint = <
  const P extends string,
  const F extends Feature,
  R extends v.GenericSchema,
  const E extends readonly ErrorCode[],
>({
  feature,
  ...described
}: {
  path: P
  feature: F
  summary: string
  answer: R
  errors: E
}) =>
  endpoint({
    ...described,
    method: 'PUT',
    access: { feature, action: 'edit' },
    params: byId,
  })
