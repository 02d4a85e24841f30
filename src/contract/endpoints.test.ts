import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PermissionMap } from './accounts/permissions.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'

interface Inside {
  entries?: Record<string, unknown>
  options?: unknown[]
  wrapped?: unknown
  item?: unknown
  value?: unknown
}

/** Returns the schemas inside a schema. A later action of a pipe runs only after the earlier ones succeeded. */
function partsOf(schema: v.GenericSchema): v.GenericSchema[] {
  const { entries = {}, options = [], wrapped, item, value } = schema as v.GenericSchema & Inside
  const inside = [...Object.values(entries), ...options, wrapped, item, value].filter(isSchema)
  return [schema, ...inside.flatMap(partsOf)]
}

const isSchema = (one: unknown): one is v.GenericSchema =>
  typeof one === 'object' && one !== null && 'kind' in one && one.kind === 'schema'

it('TBL-08: whatever is sent too long, a list is refused by its length and not item by item', () => {
  const endpoints = Object.entries<Endpoint>(ENDPOINTS)
  const lists = endpoints.flatMap(([name, { body, query, params }]) =>
    [body, query, params]
      .filter((sent) => sent !== undefined)
      .flatMap(partsOf)
      .filter(({ type }) => type === 'array')
      .map((list) => [name, list] as const),
  )
  const told = lists.map(([name, list]) => [
    name,
    v.safeParse(list, Array.from({ length: 1_001 }, Symbol)).issues?.length,
  ])
  expect(lists.length).toBeGreaterThan(10)
  expect(told).toEqual(lists.map(([name]) => [name, 1]))
})

it('a permission that a later release has added is not read, and the others are', () => {
  const permissions = { vouchers: { view: true, bless: true }, blessings: { view: true } }
  expect(v.parse(PermissionMap, permissions)).toEqual({ vouchers: { view: true } })
})
