import * as v from 'valibot'
import type { Feature } from '../accounts/permissions.ts'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../envelope.ts'
import { guid } from '../fieldSchemas.ts'
import { Option, tablePage, tableQuery } from './tableQuery.ts'

/** Names the record in the path. */
export const byId = v.strictObject({ id: guid })

/**
 * Which state of a record an edit began from. A save over somebody else's is STALE_REVISION, whose `data.current` is the record
 * as it is now.
 */
export const revision = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

interface Described<P, F, Row, Record, Create, Edit, C, Q, E> {
  path: P
  feature: F
  /** As in the middle of a sentence: "branch", "POS user". */
  noun: string
  row: Row
  record: Record
  create: Create
  edit: Edit
  columns: C
  filters: Q
  /** Codes that creating or editing can give. */
  errors: E
}

/**
 * The generic resource pattern (rule 11.3): table, export of exactly the filtered set, one record, create, edit, delete and the
 * capped list for choices.
 */
export const resourceEndpoints = <
  const P extends string,
  const F extends Feature,
  Row extends v.GenericSchema,
  Record extends v.GenericSchema,
  Create extends v.GenericSchema,
  Edit extends v.GenericSchema,
  const C extends readonly string[],
  const Q extends readonly string[],
  const E extends readonly ErrorCode[],
>({
  path,
  feature,
  noun,
  row,
  record,
  create,
  edit,
  columns,
  filters,
  errors,
}: Described<P, F, Row, Record, Create, Edit, C, Q, E>) => {
  const to = <const A extends 'view' | 'create' | 'edit'>(action: A) =>
    ({ base: 'api', access: { feature, action } }) as const
  const query = tableQuery(columns, filters)
  return {
    datatable: endpoint({
      ...to('view'),
      method: 'POST',
      path: `${path}/datatable`,
      summary: `A page of the ${noun} table of my scope`,
      body: query,
      answer: tablePage(row),
      errors: ['START_TOO_DEEP'],
    }),
    export: endpoint({
      ...to('view'),
      method: 'POST',
      path: `${path}/export`,
      summary: `The whole filtered ${noun} table as CSV`,
      body: query,
      answer: 'file',
    }),
    get: endpoint({
      ...to('view'),
      method: 'GET',
      path: `${path}/get/:id`,
      summary: `One ${noun} of my scope`,
      params: byId,
      answer: record,
    }),
    create: endpoint({
      ...to('create'),
      method: 'POST',
      path,
      summary: `Create a ${noun}`,
      body: create,
      answer: record,
      errors,
    }),
    update: endpoint({
      ...to('edit'),
      method: 'PUT',
      path: `${path}/:id`,
      summary: `Edit a ${noun}`,
      params: byId,
      body: edit,
      answer: record,
      errors: ['STALE_REVISION', ...errors],
    }),
    remove: endpoint({
      ...to('edit'),
      method: 'DELETE',
      path: `${path}/:id`,
      summary: `Delete a ${noun} that nothing refers to`,
      params: byId,
      answer: v.object({ deleted: v.literal(true) }),
      errors: ['IN_USE'],
    }),
    list: endpoint({
      ...to('view'),
      method: 'GET',
      path: `${path}/list`,
      summary: `Every ${noun} of my scope by name, for choices; at most 1,000`,
      answer: v.array(Option),
    }),
  }
}

/** Why something cannot be deleted: the `data` of IN_USE. */
const IN_USE_REASONS = ['redemptions', 'POS users', 'branches', 'sign-ins'] as const
export const InUse = v.object({ reasons: v.array(v.picklist(IN_USE_REASONS)) })
export type InUse = v.InferOutput<typeof InUse>

/** An action on one record: takes its id and answers with the record afterwards. */
export const actionEndpoint = <
  const P extends string,
  const F extends Feature,
  R extends v.GenericSchema,
  const E extends readonly ErrorCode[],
>(
  path: P,
  feature: F,
  summary: string,
  answer: R,
  errors: E,
) =>
  endpoint({
    base: 'api',
    method: 'PUT',
    path,
    access: { feature, action: 'edit' },
    summary,
    params: byId,
    answer,
    errors,
  })
