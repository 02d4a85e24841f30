import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { resource as resourceTable } from '../../../server/db/schema/resources.ts'
import type { ResourceRow } from '../../../src/contract/resources.ts'
import type { TablePage } from '../../../src/contract/tables/tableQuery.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { send } from '../../support/api/portalClient.ts'
import { makeMerchant, makeResource } from '../../support/database/builders.ts'
import { ask, db, merchantIt as it, main, merchant, server } from '../../support/server/serverTest.ts'

const download = (guid: string) =>
  send(ask, 'POST', '/api/resources/download_log', { token: main.token, body: { guid } })
const logOf = (id: string) => db().select().from(activity).where(eq(activity.subjectId, id))
const table = (query: string) => main.get<TablePage<ResourceRow>>(`/resources/datatable/merchant${query}`)

describe('a download', () => {
  it('SGN-06: gives the bytes whole, and is written down once each time', async () => {
    const content = new Uint8Array(200_000).map((_, index) => index % 251)
    const { id } = await makeResource(db(), { content, contentType: 'application/pdf', filename: 'guide.pdf' })
    const response = await download(id)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-length')).toBe('200000')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(content)
    expect(await logOf(id)).toMatchObject([{ userId: merchant.main.id, at: server.clock.now() }])
    await (await download(id)).arrayBuffer()
    expect(await logOf(id)).toHaveLength(2)
  })

  it('SGN-06: that breaks off is not written down', async () => {
    const { id } = await makeResource(db(), { content: new Uint8Array(500_000).fill(7) })
    const reader = (await download(id)).body!.getReader()
    await reader.read()
    await reader.cancel()
    expect(await logOf(id)).toEqual([])
  })

  it('SGN-06: of what is not published, not there or no id at all', async () => {
    const { id } = await makeResource(db(), { publishedAt: null })
    const ask404 = async (guid: string) => {
      const response = await download(guid)
      const body = (await response.json()) as object
      return { status: response.status, body: { ...body, request_id: '' } }
    }
    const [hidden, absent] = [await ask404(id), await ask404(randomUUID())]
    expect(hidden.status).toBe(404)
    expect(hidden).toEqual(absent)
    expect((await download('../../etc/passwd')).status).toBe(422)
    expect(await logOf(id)).toEqual([])
  })

  it('SGN-06: is not for an ADHOC Merchant', async () => {
    const { id } = await makeResource(db())
    const stall = await loggedInClient(ask, (await makeMerchant(db(), 'ADHOC Merchant')).main)
    expect((await stall.file('/resources/download_log', { guid: id })).status).toBe(403)
    expect((await stall.get('/resources/datatable/merchant')).status).toBe(403)
  })

  it.each([
    ['a "quoted"; name.pdf', `filename="a _quoted_; name.pdf"; filename*=UTF-8''a%20%22quoted%22%3B%20name.pdf`],
    ['two\r\nlines.csv', `filename="two__lines.csv"; filename*=UTF-8''two__lines.csv`],
    ['../../etc/passwd', `filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    ['券.pdf', `filename="_.pdf"; filename*=UTF-8''%E5%88%B8.pdf`],
  ])('TBL-12: of a file called %j has a harmless header', async (filename, header) => {
    const { id } = await makeResource(db(), { filename })
    const response = await download(id)
    expect(response.headers.get('content-disposition')).toBe(`attachment; ${header}`)
    await response.text()
  })
})

describe('the table', () => {
  it('shows what is published, and when I last downloaded it', async () => {
    const title = randomUUID()
    const older = await makeResource(db(), { title: `${title} A`, updatedAt: new Date('2026-10-01T00:00:00Z') })
    const newer = await makeResource(db(), { title: `${title} B` })
    await makeResource(db(), { title, publishedAt: null })
    await (await download(older.id)).text()
    const { status, data } = await table(`?search_str=${title}&column=title&sort_type=asc`)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      total: 2,
      rows: [
        { guid: older.id, downloaded_at: server.clock.now().toISOString(), size: older.content.byteLength },
        { guid: newer.id, downloaded_at: null },
      ],
    })
    const byDate = await table(`?search_str=${title}&column=updated_at&sort_type=desc&start=1&limit=1`)
    expect(byDate.data.rows.map(({ guid }) => guid)).toEqual([older.id])
    await db().update(resourceTable).set({ publishedAt: null }).where(eq(resourceTable.id, newer.id))
    expect((await table(`?search_str=${title}`)).data.total).toBe(1)
  })

  it('TBL-03: starts nowhere too deep', async () => {
    expect((await table('?start=10000')).status).toBe(200)
    expect(await table('?start=10001')).toMatchObject({ status: 422, error: 'START_TOO_DEEP' })
  })
})
