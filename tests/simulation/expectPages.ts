import assert from 'node:assert/strict'
import type { OutboxRow } from '../../src/offline/store/userRows.ts'
import type { Manager } from './Manager.ts'
import type { Tablet } from './Tablet.ts'
import type { World } from './World.ts'

/** The longest rest of a page that asks whether the server is there, with its spread, its answer, and how long that has to hold. */
const FOUND_WITHIN_MS = 60_000

/** A minute after connection and servers are good, each page knows it. Says so to the world, now and then, when it does not hold. */
export function expectOnline(world: World, { name, tabs, weather, weatherSince }: Tablet): void {
  const isBack = (since: number) => world.timeline.now - since > FOUND_WITHIN_MS
  if (weather !== 'good' || !isBack(weatherSince)) return
  if (!world.servers.every(({ isUp, upSince }) => isUp && isBack(upSince))) return
  for (const { code, number, startedAt } of tabs) {
    if (isBack(startedAt) && code.connectivity.verdict !== 'online')
      world.fail(`${name} believes that tab ${number} is ${code.connectivity.verdict}`)
  }
}

/** Each page knows that its connection is good, and is of the build that was deployed last. Throws an AssertionError. */
export function expectOpen({ name, tabs, workers }: Tablet, { deployed }: World): void {
  assert.ok(!workers.hasWaiting, `no update waits at ${name}`)
  for (const { code, build } of tabs) {
    assert.equal(code.connectivity.verdict, 'online', `${name} is online`)
    assert.equal(build, deployed, `${name} has the build that was deployed last`)
    assert.equal(code.appUpdate.phase, 'none', `${name} offers no update`)
  }
}

/** Each download that was asked for has an end, and its file is the one that the server made. Throws an AssertionError. */
export async function expectDownloaded({ wishes, onDisk }: Manager, { downloads }: World): Promise<void> {
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
