import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { appUser, branch as branchTable } from '../../../server/db/schema/organisations.ts'
import { voucher as voucherTable } from '../../../server/db/schema/vouchers.ts'
import { pathOf } from '../../../server/http/mount.ts'
import { type Branch } from '../../../src/contract/branches.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints.ts'
import { columnsOf } from '../../../src/contract/tables/lists.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { branchForm } from '../../support/api/forms.ts'
import { makeBranch, makeSerial } from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

type Row = Record<string, unknown> & { guid: string }
const page = (resource: string, query: object) =>
  main.post<TablePage<Row>>(`${resource}/datatable`, { start: 0, limit: 10, ...query })
const lines = async (resource: string, query: object) => {
  const { text } = await main.file(`${resource}/export`, { start: 0, limit: 10, ...query })
  const [columns = [], ...rows] = parseSentCsv(text.slice(1))
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])))
}
/** Reads every row of the table, `limit` at a time. */
async function walk(resource: string, query: object, limit: number, between = async () => {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let start = 0; ; start += limit) {
    const { data } = await page(resource, { ...query, start, limit })
    rows.push(...data.rows)
    if (data.rows.length < limit) return rows
    await between()
  }
}

/** The tables of the generic pattern (rule 11.3): their sort columns, and the column of the export that identifies a row. */
const TABLES = [
  ['/merchant/additional', columnsOf('master'), 'Email', 'email'],
  ['/branch', columnsOf('branch'), 'Branch code', 'code'],
  ['/branch/master', columnsOf('branch'), 'Branch code', 'code'],
  ['/branch/adhoc', columnsOf('branch'), 'Branch code', 'code'],
  ['/pos', columnsOf('pos'), 'Username', 'username'],
  ['/voucher', columnsOf('voucher'), 'Serial number', 'serial'],
] as const

/** Makes about ten rows in every table, with equal and with missing values. */
async function fill(): Promise<void> {
  const organisationId = merchant.organisation.id
  const at = (n: number) => new Date(Date.parse('2026-11-01T00:00:00Z') + n)
  const shared = { organisationId, status: 'Active', createdAt: at(0) } as const
  const masters = Array.from({ length: 4 }, (_, n) => ({
    ...shared,
    id: uuidv7(),
    type: 'Additional Merchant' as const,
    loginKind: 'merchant' as const,
    loginName: `${uuidv7()}@test.example`,
    name: n < 2 ? null : 'Same name',
    lastLoginAt: n % 2 ? at(n) : null,
  }))
  await db().insert(appUser).values(masters)
  await db()
    .insert(branchTable)
    .values(
      Array.from({ length: 9 }, (_, n) => ({
        id: uuidv7(),
        organisationId,
        name: `Branch ${n % 3}`,
        code: uuidv7(),
        status: n % 2 ? ('Active' as const) : ('Inactive' as const),
        masterUserId: masters[0]!.id,
        kind: 'adhoc' as const,
        fromDay: `2026-11-${String((n % 4) + 10)}`,
        toDay: '2026-12-01',
      })),
    )
  await db()
    .insert(appUser)
    .values(
      Array.from({ length: 7 }, (_, n) => ({
        ...shared,
        id: uuidv7(),
        branchId: merchant.branch.id,
        type: 'POS User' as const,
        loginKind: 'pos' as const,
        loginName: uuidv7(),
        passwordHash: 'x',
        passwordChangedAt: at(0),
        lastLoginAt: n % 3 ? at(n % 2) : null,
      })),
    )
  await makeVouchers(9)
}

async function makeVouchers(count: number): Promise<void> {
  const used = (n: number) => ({
    id: uuidv7(),
    serial: makeSerial(),
    denominationCents: (n % 3) * 500 + 500,
    expiresOn: `2027-01-0${(n % 2) + 1}`,
    status: 'Used' as const,
    usedAt: new Date(Date.parse('2026-11-01T00:00:00Z') + (n % 7)),
    organisationId: merchant.organisation.id,
    branchId: merchant.branch.id,
  })
  const rows = Array.from({ length: count }, (_, n) => used(n))
  for (let at = 0; at < rows.length; at += 1_000)
    await db()
      .insert(voucherTable)
      .values(rows.slice(at, at + 1_000))
}

describe.each(TABLES)('%s', (resource, columns, heading, field) => {
  it('sorts by every column it offers, both ways: in one page, page by page and in the export alike', async () => {
    await fill()
    for (const column of columns) {
      for (const sort_type of ['asc', 'desc']) {
        const query = { order_by: [{ column, sort_type }] }
        const whole = (await page(resource, { ...query, limit: 100 })).data.rows
        expect(whole.length).toBeGreaterThanOrEqual(4)
        expect((await walk(resource, query, 3)).map(({ guid }) => guid)).toEqual(whole.map(({ guid }) => guid))
        expect((await lines(resource, query)).map((line) => line[heading])).toEqual(whole.map((row) => row[field]))
        const other = sort_type === 'asc' ? 'desc' : 'asc'
        const reversed = (await page(resource, { order_by: [{ column, sort_type: other }], limit: 100 })).data.rows
        expect(reversed.map(({ guid }) => guid)).toEqual(whole.map(({ guid }) => guid).toReversed())
      }
    }
  })

  const order = (column: unknown, sort_type: unknown) => ({ order_by: [{ column, sort_type }] })
  const filter = (key: unknown, value: unknown) => ({ other_params: [{ key, value }] })
  const REFUSED: [string, object, string?][] = [
    ['TBL-01: SQL as column', order('guid; DROP TABLE branch--', 'asc')],
    ['TBL-01: a CASE as column', order('(case when 1=1 then id end)', 'asc')],
    ['TBL-01: SQL as direction', order('guid', 'asc,(select 1)')],
    ['TBL-01: a column that is not offered', order('organisation_id', 'asc')],
    ['TBL-02: an unknown filter', filter('owner', 'x')],
    ['TBL-02: a list as value', filter('status', ['Active'])],
    ['TBL-02: an object as value', filter('status', { $ne: 1 })],
    ['TBL-02: 10 kB as value', filter('status', 'x'.repeat(10_000))],
    ['TBL-02: a value the filter does not know', filter('status', 'Everything')],
    ...[-1, 0, 1.5, '10', 101, 1e9, 2 ** 53].map((limit): [string, object] => [`TBL-03: limit ${limit}`, { limit }]),
    ...[-1, 0.5, '0'].map((start): [string, object] => [`TBL-03: start ${start}`, { start }]),
    ...[10_001, 1e12].map((start): [string, object, string] => [`TBL-03: start ${start}`, { start }, 'START_TOO_DEEP']),
    ['TBL-04: a search of 101 characters', { search_str: 'x'.repeat(101) }],
    ['TBL-04: 5,000 wildcards', { search_str: '%a'.repeat(5_000) }],
    ['TBL-06: NUL in the search', { search_str: '\u0000' }],
    ['TBL-06: half a character in the search', { search_str: '\ud800' }],
  ]
  it('TBL-01 to TBL-06: refuses what is not on the list, for table and export', async () => {
    for (const [what, query, error = 'VALIDATION_FAILED'] of REFUSED) {
      for (const door of ['datatable', 'export']) {
        const refused = await main.post(`${resource}/${door}`, { start: 0, limit: 10, ...query })
        expect([what, door, refused.status, refused.error]).toEqual([what, door, 422, error])
      }
    }
  })
})

describe('a search', () => {
  it('TBL-04: takes %, _ and \\ literally', async () => {
    for (const name of ['100% Juice', 'Under_score', 'Back\\slash', 'Plain one']) {
      await makeBranch(db(), merchant.organisation, { name })
    }
    const found = async (search_str: string) =>
      (await page('/branch', { search_str })).data.rows.map(({ name }) => name)
    expect(await found('%')).toEqual(['100% Juice'])
    expect(await found('_')).toEqual(['Under_score'])
    expect(await found('\\')).toEqual(['Back\\slash'])
    expect(await found('pLAIN')).toEqual(['Plain one'])
    expect(await found('%a'.repeat(50))).toEqual([])
    expect(await found(' plain one ')).toEqual(['Plain one'])
    for (const search_str of ['%', '_', '\\', "O'Brien \\' OR true --"]) {
      expect((await lines('/branch', { search_str })).map(({ Name }) => Name)).toEqual(await found(search_str))
    }
  })
})

describe('paging', () => {
  it('TBL-05: loses and repeats no row of equal value while others come in behind', async () => {
    await makeVouchers(230)
    const query = { order_by: [{ column: 'denomination', sort_type: 'asc' }] }
    const before = (await walk('/voucher', query, 100)).map(({ guid }) => guid)
    expect(new Set(before).size).toBe(230)
    const largest = () => db().insert(voucherTable).values(late())
    const during = (await walk('/voucher', query, 50, async () => void (await largest()))).map(({ guid }) => guid)
    expect(during.filter((guid) => before.includes(guid))).toEqual(before)
    expect(new Set(during).size).toBe(during.length)
  })

  /** Makes a row that sorts behind all others. */
  const late = () => ({
    id: uuidv7(),
    serial: makeSerial(),
    denominationCents: 9_900,
    expiresOn: '2027-01-01',
    status: 'Used' as const,
    usedAt: server.clock.now(),
    organisationId: merchant.organisation.id,
    branchId: merchant.branch.id,
  })
})

describe('an export', () => {
  it('holds exactly the filtered set, in the order of the table, however many batches it takes', async () => {
    await makeVouchers(4_300)
    for (const order_by of [
      [
        { column: 'denomination', sort_type: 'asc' },
        { column: 'date_used', sort_type: 'desc' },
      ],
      [{ column: 'date_used', sort_type: 'desc' }],
    ]) {
      const other_params = ['500', '1500'].map((value) => ({ key: 'denomination', value }))
      const rows = await walk('/voucher', { order_by, other_params }, 100)
      expect(rows.length).toBeGreaterThan(2_000)
      const exported = await lines('/voucher', { order_by, other_params, start: 4_000, limit: 1 })
      expect(exported.map((line) => line['Serial number'])).toEqual(rows.map(({ serial }) => serial))
    }
  })

  it('TBL-11: disarms what a spreadsheet would run, and leaves the rest as it is', async () => {
    const names = [
      '=HYPERLINK("http://x","y")',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1+1',
      ' =1',
      'two\r\nlines',
      'a "quote", b',
    ]
    for (const name of names) await makeBranch(db(), merchant.organisation, { name })
    const order_by = [{ column: 'guid', sort_type: 'asc' }]
    const exported = (await lines('/branch', { order_by })).map(({ Name }) => Name).slice(1)
    const armed = new Set(names.slice(0, 6))
    expect(exported).toEqual(names.map((name) => (armed.has(name) ? `'${name}` : name)))
  })

  it('has a name and a type, and begins so that spreadsheets read it as UTF-8', async () => {
    const { status, headers, text } = await main.file('/branch/export', { start: 0, limit: 10 })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toContain('filename="Branches, 2026-11-21.csv"')
    expect(text.startsWith('\uFEFFName,Branch code,')).toBe(true)
  })
})

describe('a list for choices', () => {
  it('stops at a thousand', async () => {
    const rows = Array.from({ length: 1_001 }, (_, n) => ({
      id: uuidv7(),
      organisationId: merchant.organisation.id,
      name: `Branch ${n}`,
      code: String(n),
      status: 'Active' as const,
    }))
    await db().insert(branchTable).values(rows)
    expect((await main.get<unknown[]>('/branch/list')).data).toHaveLength(1_000)
  })
})

describe('text', () => {
  it.each(['😀 Café 店', '\u202eevil', '\ufffe', "O'Brien -- ; DROP"])(
    'TBL-06: %j comes back as it was',
    async (name) => {
      const padded = `${name} branch`
      const { status, data } = await main.post<Branch>('/branch', branchForm({ name: padded }))
      expect(status).toBe(200)
      expect((await main.get<Branch>(`/branch/get/${data.guid}`)).data.name).toBe(padded)
    },
  )

  it.each(['a\u0000bc', 'abc\ud800'])('TBL-06: %j is refused wherever it stands', async (bad) => {
    const forms = [
      branchForm({ name: bad }),
      branchForm({ business: { ...branchForm().business, address: bad } }),
      branchForm({ financial_contact: { ...branchForm().financial_contact, name: bad } }),
    ]
    for (const form of forms) expect((await main.post('/branch', form)).status).toBe(422)
  })
})

it('TBL-07: a key that reaches into prototypes is refused at every door that takes a body', async () => {
  const bodies = ['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}']
  for (const endpoint of Object.values<Endpoint>(ENDPOINTS).filter(({ body, access }) => body && access !== 'public')) {
    for (const body of bodies) {
      const path = pathOf(endpoint).replaceAll(/:\w+/g, uuidv7())
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${main.token}` }
      const response = await ask(path, {
        method: endpoint.method,
        headers: { ...headers, 'login-type': 'MERCHANT', 'idempotency-key': uuidv7() },
        body,
      })
      expect([endpoint.path, [400, 403, 422].includes(response.status)]).toEqual([endpoint.path, true])
    }
  }
  expect('isAdmin' in {}).toBe(false)
})
