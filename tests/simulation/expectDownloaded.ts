import assert from 'node:assert/strict'
import type { OutboxRow } from '../../src/offline/store/userRows.ts'
import type { Downloads } from './Downloads.ts'
import type { Manager } from './Manager.ts'

/** Each download that was asked for has an end, and its file is the one that the server made. Throws an AssertionError. */
export async function expectDownloaded({ wishes, onDisk }: Pick<Manager, 'wishes' | 'onDisk'>, downloads: Downloads) {
  const { rows, files } = await onDisk()
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const [id, wish] of wishes) assert.ok(wish === 'letGo' || byId.has(id), 'a download that was queued is not lost')
  for (const { id } of files) assert.ok(byId.has(id.split('/')[0]!), 'no file stays without its download')
  const fileOf = new Map(files.map(({ id, bytes }) => [id, bytes]))
  for (const row of rows) {
    const what = `the ${row.intent.kind}`
    assert.ok(row.state !== 'waiting' && row.state !== 'sending', `${what} has an end, not ${row.state}`)
    if (row.state === 'failed') assert.ok(hasReason(row), `${what} failed for a reason of the device: ${row.trouble}`)
    if (row.state !== 'ready') continue
    const file = fileOf.get(row.id)
    assert.equal(file?.byteLength, row.size, `${what} has its file`)
    assert.ok('parts' in row.intent || downloads.isOfServer(row.id, file!), `${what} is the file that the server made`)
  }
}

/** The server refuses none of them. A person frees the device and retries. */
const hasReason = ({ gone, trouble = '' }: OutboxRow) => gone !== undefined || trouble.includes('no room')
